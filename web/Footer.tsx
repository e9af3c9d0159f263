import { Keyboard } from 'lucide-react'
import type { Language } from '#core/contract.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { hasMouse } from '#web/keyboard.ts'
import { LanguageAndThemeControls } from '#web/LanguageAndThemeControls.tsx'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { appShellText } from '#web/shell-text.ts'
import { areShortcutsEnabled, openShortcutsHelp, useShortcutGroupsOfOpenHelp } from '#web/shortcuts.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { footerLinksToSamplePages, samplePageLinksShownStore } from '#web/web-modules.ts'

export function Footer({ onLang }: { onLang: (lang: Language) => void }) {
  const t = useText(appShellText)
  const lang = useLang()
  const openHelp = useShortcutsHelpOpener()
  const isChild = useMe()?.is_child
  const samples = footerLinksToSamplePages.filter((link) => !(isChild && link.isHiddenFromChildren))
  const showsSamples = useStore(samplePageLinksShownStore) && samples.length > 0
  // Renders the footer again when the list of shortcuts closes, because the user may have turned the
  // shortcuts off in the list.
  useShortcutGroupsOfOpenHelp()
  return (
    <footer className="footer">
      <span>{`© ${initialPageData.app.year} ${initialPageData.app.name}`}</span>
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
        {(hasMouse() || !areShortcutsEnabled()) && (
          <Button kind="ghost" iconOnly icon={Keyboard} label={t.keys} onClick={openHelp} />
        )}
        <LanguageAndThemeControls onLang={onLang} />
      </div>
    </footer>
  )
}

/**
 * Returns a function that opens the list of keyboard shortcuts. The function loads the code of the dialog
 * first, so that a failed download shows a toast instead of an empty dialog.
 */
export function useShortcutsHelpOpener() {
  const explain = useErrorFormatter()
  return () =>
    import('#web/ShortcutsHelp.tsx').then(openShortcutsHelp, (error: unknown) =>
      showToast(explain(error), { kind: 'error' }),
    )
}
