import { Monitor, Moon, Sun } from 'lucide-react'
import type { Language } from '#core/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { type InitialPageData, initialPageData } from '#web/page-data.ts'
import { applyTheme, saveLanguageOrThemeCookie } from '#web/settings.ts'
import { appShellText } from '#web/shell-text.ts'
import { createStore, useStore } from '#web/store.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'

type Theme = InitialPageData['theme']
const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const

const currentTheme = createStore<Theme>(initialPageData.theme)
function changeTheme(next: Theme) {
  saveLanguageOrThemeCookie('theme', next)
  applyTheme(next)
  currentTheme.set(next)
}

interface DisplaySettingsProps {
  onLang: (lang: Language) => void
  /** Whether the controls are in a menu, whose background is lighter than that of the page. */
  onCard?: boolean
}

/**
 * Renders the controls for the language and the theme. They are in the footer, and also in menus of the top
 * bar, because chat pages have no footer.
 */
export function LanguageAndThemeControls({ onLang, onCard = false }: DisplaySettingsProps) {
  const t = useText(appShellText)
  const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
    { value: 'light', label: t.light, icon: Sun },
    { value: null, label: t.system, icon: Monitor },
    { value: 'dark', label: t.dark, icon: Moon },
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
