import { RotateCw } from 'lucide-react'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'

interface NotLoadedProps {
  error: unknown
  /** A new try is under way. */
  pending?: boolean
  onRetry: () => unknown
  /** Without a board behind it. */
  plain?: boolean
}

/** Stands in place of data that could not be loaded: says why, and offers to try again. */
export function NotLoaded({ error, pending, onRetry, plain }: NotLoadedProps) {
  const say = useText(shellText)
  const explain = useExplain()
  return (
    <Empty title={say.notLoaded} help={explain(error)} {...(plain && { plain })}>
      <Button icon={RotateCw} pending={pending} onClick={() => onRetry()}>
        {say.retry}
      </Button>
    </Empty>
  )
}
