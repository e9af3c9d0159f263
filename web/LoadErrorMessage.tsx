import { RotateCw } from 'lucide-react'
import { hasStatus, logInPath, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QuotedText } from './ui/QuotedText.tsx'

interface LoadErrorProps {
  error: unknown
  /** The retry button does nothing while the data is being loaded again. */
  pending?: boolean
  onRetry: () => unknown
  /** Without a background of its own. */
  plain?: boolean
}

/** Visitors who may not read the data see a link to the log-in page instead. */
export function LoadErrorMessage({ error, pending, onRetry, plain }: LoadErrorProps) {
  const t = useText(shellText)
  const explain = useErrorText()
  if (hasStatus(error, 401)) return <LogInPrompt />
  return (
    <EmptyState title={t.notLoaded} help={explain(error)} {...(plain && { withoutBackground: plain })}>
      <Button icon={RotateCw} pending={pending} onClick={() => onRetry()}>
        {t.retry}
      </Button>
    </EmptyState>
  )
}

/** A page with this need not show the toast “Please log in.”. The log-in leads back here. */
export function LogInPrompt() {
  const t = useText(shellText)
  return (
    <div role="alert">
      <EmptyState
        title={<QuotedText translation="ログインしてください。">Please log in.</QuotedText>}
        help={t.membersOnly}
      >
        <ButtonLink kind="primary" href={logInPath()}>
          {t.logIn}
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
