import { RotateCw } from 'lucide-react'
import { shopText } from '#features/shop/text.ts'
import { useExplain } from '#web/failure.ts'
import { useText } from '#web/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'

interface NotLoadedProps {
  error: unknown
  pending: boolean
  onRetry: () => void
}
export function NotLoaded({ error, pending, onRetry }: NotLoadedProps) {
  const t = useText(shopText)
  const explain = useExplain()
  return (
    <Empty title={t.didNotLoad} help={explain(error)}>
      <Button icon={RotateCw} pending={pending} onClick={onRetry}>
        {t.retry}
      </Button>
    </Empty>
  )
}
