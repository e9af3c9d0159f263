import { Keyboard } from 'lucide-react'
import type { Language } from '#core/contract.ts'
import { useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { hasMouse } from '#web/keyboard.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { shellText } from '#web/shell-text.ts'
import { areShortcutsOn, openHelp, useOpenHelp } from '#web/shortcuts.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { sampleLinks, samplesShown } from '#web/web-modules.ts'
import { DisplaySettings } from './DisplaySettings.tsx'

export function Footer({ onLang }: { onLang: (lang: Language) => void }) {
  const t = useText(shellText)
  const lang = useLang()
  const openHelp = useOpenShortcuts()
  const isChild = useMe()?.is_child
  const samples = sampleLinks.filter((link) => !(isChild && link.isHiddenFromChildren))
  const showsSamples = useStore(samplesShown) && samples.length > 0
  // The user may have turned the shortcuts off in the list.
  useOpenHelp()
  return (
    <footer className="footer">
      <span>{`© ${pageData.app.year} ${pageData.app.name}`}</span>
      {showsSamples && (
        <nav aria-label={t.samples}>
          {samples.map(({ to, label }) => (
            <Link key={to} href={to}>
              {label[lang]}
            </Link>
          ))}
        </nav>
      )}
      <div className="display-settings">
        {(hasMouse() || !areShortcutsOn()) && (
          <Button kind="ghost" iconOnly icon={Keyboard} label={t.keys} onClick={openHelp} />
        )}
        <DisplaySettings onLang={onLang} />
      </div>
    </footer>
  )
}

/** Loads the code of the dialog first, so that a failed download shows a toast instead of an empty dialog. */
export function useOpenShortcuts() {
  const explain = useErrorText()
  return () =>
    import('#web/ShortcutsHelp.tsx').then(openHelp, (error: unknown) =>
      showToast(explain(error), { kind: 'error' }),
    )
}
