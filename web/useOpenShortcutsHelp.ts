import { useExplain } from '#web/errors.ts'
import { openShortcutsHelp } from '#web/shortcuts.ts'
import { toast } from '#web/ui/Toasts.tsx'

/** Loads the dialog first and opens it then, so that a failed download shows a toast and no empty dialog. */
export function useOpenShortcutsHelp() {
  const explain = useExplain()
  return () =>
    import('#web/ShortcutsHelp.tsx').then(openShortcutsHelp, (error: unknown) =>
      toast(explain(error), { kind: 'bad' }),
    )
}
