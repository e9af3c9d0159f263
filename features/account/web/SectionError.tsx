import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button } from '#web/ui/Button.tsx'

interface Props {
  error: unknown
  /** Loading again. */
  pending: boolean
  onRetry: () => unknown
}

/** Short, because all sections fail together when the server cannot be reached. */
export function SectionError({ error, pending, onRetry }: Props) {
  const t = useText(shellText)
  const formatError = useErrorText()
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
