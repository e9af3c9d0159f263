import { Keyboard, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { type Boot, boot } from '#web/boot.ts'
import { hasMouse } from '#web/keyboard.ts'
import { keysAreOn, useLegend, useOpenLegend } from '#web/keys.ts'
import { keepSetting, paint } from '#web/settings.ts'
import { useLang, useText } from '#web/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Joined } from '#web/ui/Joined.tsx'
import { words } from '#web/words.ts'

type Theme = Boot['theme']
const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'ja', label: '日本語', lang: 'ja' },
] as const

export function Foot({ onLang }: { onLang: (lang: Lang) => void }) {
  const say = useText(words)
  const lang = useLang()
  const openLegend = useOpenLegend()
  // Drawn anew when it closes, since the keys may have been turned off in it.
  useLegend()
  const [theme, setTheme] = useState<Theme>(boot.theme)
  const changeTheme = (next: Theme) => {
    keepSetting('theme', next)
    paint(next)
    setTheme(next)
  }
  const themes: { value: Theme; label: string; icon: typeof Sun }[] = [
    { value: 'light', label: say.light, icon: Sun },
    { value: null, label: say.system, icon: Monitor },
    { value: 'dark', label: say.dark, icon: Moon },
  ]
  return (
    <footer className="foot">
      <span>{`© ${boot.app.year} ${boot.app.name}`}</span>
      {boot.app.demo && (
        <nav aria-label={say.samples}>
          <Link href="/products/1">{say.product}</Link>
          <Link href="/cart">{say.cart}</Link>
          <Link href="/chat">{say.publicChat}</Link>
          <Link href="/user">{say.currentUser}</Link>
        </nav>
      )}
      <div className="set">
        {(hasMouse() || !keysAreOn()) && <Button kind="bare" only icon={Keyboard} label={say.keys} onClick={openLegend} />}
        <Joined<Lang> label={say.language} parts={languages} value={lang} onChange={onLang} />
        <Joined<Theme> label={say.theme} parts={themes} value={theme} onChange={changeTheme} />
      </div>
    </footer>
  )
}
