import './waiting.css'
import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useWaiting } from '#features/notifications/web/unread-count.ts'
import { useText } from '#web/i18n.ts'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { start } from './outbox.ts'
import { waitingText } from './waiting-text.ts'

/** Sends the answers of an earlier visit, and shows a strip on every page but those where one answers. */
export default function Waiting({ me }: { me: number }) {
  const t = useText(waitingText)
  const [path] = useLocation()
  const isReal = useWaiting('roll_call') > 0
  const isDrill = useWaiting('roll_call_drill') > 0
  const isShown = (isReal || isDrill) && !path.startsWith('/roll-calls')
  useEffect(() => start(me), [me])
  useRootAttribute('rollCall', isShown ? '' : null)
  if (!isShown) return null
  return (
    <aside className="roll-call-strip" aria-label={isReal ? t.waits : t.drill}>
      <Link href="/roll-calls">
        <Icon icon={CircleAlert} />
        <span>{isReal ? t.waits : t.drill}</span>
        <b>{t.answer}</b>
      </Link>
    </aside>
  )
}
