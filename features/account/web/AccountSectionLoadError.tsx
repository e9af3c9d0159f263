import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { appShellText } from '#web/shell-text.ts'
import { Button } from '#web/ui/Button.tsx'

interface SectionLoadErrorProps {
  error: unknown
  /** Whether the data of the section is being loaded again. */
  pending: boolean
  onRetry: () => unknown
}

/**
 * Renders an error message in place of the data of a section that could not be loaded, with a button that
 * loads it again. The message is short, because all sections of the page fail together when the server cannot
 * be reached.
 */
export function AccountSectionLoadError({ error, pending, onRetry }: SectionLoadErrorProps) {
  const t = useText(appShellText)
  const formatError = useErrorFormatter()
  return (
    <div className="section-error">
      <p>
        {t.notLoaded} {formatError(error)}
      </p>
      <Button small pending={pending} onClick={() => onRetry()}>
        {t.retry}
      </Button>
    </div>
  )
}
