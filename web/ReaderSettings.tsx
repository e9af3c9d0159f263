import { Monitor, Moon, Sun } from 'lucide-react'
import type { Lang } from '#core/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { type PageData, pageData } from '#web/page-data.ts'
import { keepSetting, paint } from '#web/settings.ts'
import { shellText } from '#web/shell-text.ts'
import { createStore, useStore } from '#web/store.ts'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'

type Theme = PageData['theme']
const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const

const currentTheme = createStore<Theme>(pageData.theme)
function changeTheme(next: Theme) {
  keepSetting('theme', next)
  paint(next)
  currentTheme.set(next)
}

interface ReaderSettingsProps {
  onLang: (lang: Lang) => void
  /** For a menu, which has a white background. */
  onBoard?: boolean
}

/** Language and theme: in the footer, and in the profile menu, because chat pages have no footer. */
export function ReaderSettings({ onLang, onBoard = false }: ReaderSettingsProps) {
  const say = useText(shellText)
  const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
    { value: 'light', label: say.light, icon: Sun },
    { value: null, label: say.system, icon: Monitor },
    { value: 'dark', label: say.dark, icon: Moon },
  ]
  return (
    <>
      <SegmentedControl<Lang>
        label={say.language}
        parts={languages}
        value={useLang()}
        onChange={onLang}
        onBoard={onBoard}
      />
      <SegmentedControl<Theme>
        label={say.theme}
        parts={themes}
        value={useStore(currentTheme)}
        onChange={changeTheme}
        onBoard={onBoard}
      />
    </>
  )
}
