import { Keyboard } from 'lucide-react'
import { Link } from 'wouter'
import type { Lang } from '#core/contract.ts'
import { useExplain } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { hasMouse } from '#web/keyboard.ts'
import { modules } from '#web/modules.ts'
import { pageData } from '#web/page-data.ts'
import { ReaderSettings } from '#web/ReaderSettings.tsx'
import { shellText } from '#web/shell-text.ts'
import { openShortcutsHelp, shortcutsEnabled, useShortcutsHelp } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/Toasts.tsx'

const samples = modules.flatMap((module) => module.samples ?? [])

export function Footer({ onLang }: { onLang: (lang: Lang) => void }) {
  const say = useText(shellText)
  const lang = useLang()
  const openHelp = useOpenShortcutsHelp()
  // Draws the footer again when the list closes, where shortcuts may have been turned off.
  useShortcutsHelp()
  return (
    <footer className="footer">
      <span>{`© ${pageData.app.year} ${pageData.app.name}`}</span>
      {samples.length > 0 && (
        <nav aria-label={say.samples}>
          {samples.map(({ to, label }) => (
            <Link key={to} href={to}>
              {label[lang]}
            </Link>
          ))}
        </nav>
      )}
      <div className="set">
        {(hasMouse() || !shortcutsEnabled()) && (
          <Button kind="bare" only icon={Keyboard} label={say.keys} onClick={openHelp} />
        )}
        <ReaderSettings onLang={onLang} />
      </div>
    </footer>
  )
}

/** Loads the dialog first and opens it then, so that a failed download shows a toast and no empty dialog. */
export function useOpenShortcutsHelp() {
  const explain = useExplain()
  return () =>
    import('#web/ShortcutsHelp.tsx').then(openShortcutsHelp, (error: unknown) =>
      toast(explain(error), { kind: 'bad' }),
    )
}
