import { RotateCw } from 'lucide-react'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'

interface NotLoadedProps {
  error: unknown
  /** It is being asked for again. */
  pending?: boolean
  onRetry: () => unknown
  /** On the bare ground, without a board. */
  plain?: boolean
}

/** In place of what could not be fetched: why, and once more. */
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
