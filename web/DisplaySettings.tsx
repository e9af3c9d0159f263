import { Monitor, Moon, Sun } from 'lucide-react'
import type { Language } from '#core/contract.ts'
import { useLang, useText } from './i18n.ts'
import { type PageData, pageData } from './page-data.ts'
import { applyTheme, saveCookie } from './settings.ts'
import { shellText } from './shell-text.ts'
import { createStore, useStore } from './store.ts'
import { SegmentedControl } from './ui/SegmentedControl.tsx'

type Theme = PageData['theme']
type TextSize = PageData['text']
const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const

const currentTheme = createStore<Theme>(pageData.theme)
function changeTheme(next: Theme) {
  saveCookie('theme', next)
  applyTheme(next)
  currentTheme.set(next)
}

const currentText = createStore<TextSize>(pageData.text)
function changeText(next: TextSize) {
  saveCookie('text', next)
  document.documentElement.dataset.text = next ?? ''
  currentText.set(next)
}

interface Props {
  onLang: (lang: Language) => void
  /** A menu is lighter than the page. */
  onCard?: boolean
}

/** Also in menus of the top bar, because chat pages have no footer. */
export function DisplaySettings({ onLang, onCard = false }: Props) {
  const t = useText(shellText)
  const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
    { value: 'light', label: t.light, icon: Sun },
    { value: null, label: t.system, icon: Monitor },
    { value: 'dark', label: t.dark, icon: Moon },
  ]
  const sizes: { value: TextSize; label: string }[] = [
    { value: null, label: t.textNormal },
    { value: '115', label: t.textLarge },
    { value: '130', label: t.textLarger },
    { value: '150', label: t.textLargest },
  ]
  return (
    <>
      <SegmentedControl<Language>
        label={t.language}
        options={languages}
        value={useLang()}
        onChange={onLang}
        onCard={onCard}
      />
      <SegmentedControl<TextSize>
        label={t.textSize}
        options={sizes}
        value={useStore(currentText)}
        onChange={changeText}
        onCard={onCard}
      />
      <SegmentedControl<Theme>
        label={t.theme}
        options={themes}
        value={useStore(currentTheme)}
        onChange={changeTheme}
        onCard={onCard}
      />
    </>
  )
}
