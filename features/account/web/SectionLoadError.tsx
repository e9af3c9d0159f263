import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button } from '#web/ui/Button.tsx'

interface SectionLoadErrorProps {
  error: unknown
  /** Whether a retry is running. */
  pending: boolean
  onRetry: () => unknown
}

/**
 * Shown in a section whose data could not be loaded. It is one line, because all sections fail together when
 * the server cannot be reached.
 */
export function SectionLoadError({ error, pending, onRetry }: SectionLoadErrorProps) {
  const t = useText(shellText)
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
