import { RotateCw } from 'lucide-react'
import { createLogInPathWithReturnToCurrentPage, isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { appShellText } from '#web/shell-text.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'

interface LoadErrorProps {
  error: unknown
  /** Whether the data is being loaded again, so that the retry button does nothing. */
  pending?: boolean
  onRetry: () => unknown
  /** Whether the box with the message has no background of its own. */
  plain?: boolean
}

/**
 * Renders an error message and a button to retry in place of data that could not be loaded. Visitors who may
 * not read the data see a link to the log-in page instead.
 */
export function LoadErrorMessage({ error, pending, onRetry, plain }: LoadErrorProps) {
  const t = useText(appShellText)
  const explain = useErrorFormatter()
  if (isErrorWithStatus(error, 401)) return <LogInPromptBox />
  return (
    <EmptyState title={t.notLoaded} help={explain(error)} {...(plain && { withoutBackground: plain })}>
      <Button icon={RotateCw} pending={pending} onClick={() => onRetry()}>
        {t.retry}
      </Button>
    </EmptyState>
  )
}

/**
 * Renders a request to log in, for visitors in place of content for members. A page that shows it need not
 * show the toast “Please log in.”. The log-in leads back to this page.
 */
export function LogInPromptBox() {
  const t = useText(appShellText)
  return (
    <div role="alert">
      <EmptyState
        title={
          <SpecificationTextWithTranslation translation="ログインしてください。">
            Please log in.
          </SpecificationTextWithTranslation>
        }
        help={t.membersOnly}
      >
        <ButtonLink kind="primary" href={createLogInPathWithReturnToCurrentPage()}>
          {t.logIn}
        </ButtonLink>
      </EmptyState>
    </div>
  )
}
