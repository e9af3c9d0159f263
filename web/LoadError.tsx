import { RotateCw } from 'lucide-react'
import { isErrorWithStatus, logInPathWithReturn, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SpecificationText } from '#web/ui/SpecificationText.tsx'

interface LoadErrorProps {
  error: unknown
  /** Whether a retry is running. */
  pending?: boolean
  onRetry: () => unknown
  /** Draws no background of its own. */
  plain?: boolean
}

/**
 * Shown instead of data that could not be loaded. Says why, and offers a retry, or the log-in to visitors.
 */
export function LoadError({ error, pending, onRetry, plain }: LoadErrorProps) {
  const t = useText(shellText)
  const explain = useErrorFormatter()
  if (isErrorWithStatus(error, 401)) return <LogInPrompt />
  return (
    <EmptyState title={t.notLoaded} help={explain(error)} {...(plain && { withoutBackground: plain })}>
      <Button icon={RotateCw} pending={pending} onClick={() => onRetry()}>
        {t.retry}
      </Button>
    </EmptyState>
  )
}

/**
 * Shown to visitors in place of content for members, instead of the toast “Please log in.”. The log-in leads
 * back to this page.
 */
export function LogInPrompt() {
  const t = useText(shellText)
  return (
    <div role="alert">
      <EmptyState
        title={<SpecificationText translation="ログインしてください。">Please log in.</SpecificationText>}
        help={t.membersOnly}
      >
        <ButtonLink kind="primary" href={logInPathWithReturn()}>
          {t.logIn}
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
