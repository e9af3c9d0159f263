import { RotateCw } from 'lucide-react'
import { isHttpError, logInPath, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'

interface NotLoadedProps {
  error: unknown
  /** A new try is under way. */
  pending?: boolean
  onRetry: () => unknown
  /** Without a board behind it. */
  plain?: boolean
}

/** Stands in place of data that could not be loaded: says why, and offers to try again, or to log in. */
export function NotLoaded({ error, pending, onRetry, plain }: NotLoadedProps) {
  const say = useText(shellText)
  const explain = useExplain()
  if (isHttpError(error, 401)) return <PleaseLogIn />
  return (
    <Empty title={say.notLoaded} help={explain(error)} {...(plain && { plain })}>
      <Button icon={RotateCw} pending={pending} onClick={() => onRetry()}>
        {say.retry}
      </Button>
    </Empty>
  )
}

/** Shown in place of content for members, instead of the toast. The log-in leads back to this page. */
export function PleaseLogIn() {
  const say = useText(shellText)
  return (
    <div role="alert">
      <Empty
        title={<QuotedText also="ログインしてください。">Please log in.</QuotedText>}
        help={say.membersOnly}
      >
        <ButtonLink kind="primary" href={logInPath()}>
          {say.logIn}
        </ButtonLink>
      </Empty>
    </div>
  )
}
