import { CircleAlert } from 'lucide-react'
import { Suspense } from 'react'
import { useWaiting } from '#features/notifications/web/unread-count.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { readLocal } from '#web/local-storage.ts'
import { useMe } from '#web/me.ts'
import type { WebModule } from '#web/web-modules.ts'
import { outboxKey } from './outbox-key.ts'

const Waiting = lazyWithRetry(() => import('./Waiting.tsx'))
const useBadge = () => useWaiting('roll_call') + useWaiting('roll_call_drill')

/** Loads its code only while a roll call waits, or an answer to it. */
function WaitingTrigger() {
  const me = useMe()?.id
  const isWaiting = useBadge() > 0
  return (
    me &&
    (isWaiting || readLocal(outboxKey(me))) && (
      <Suspense>
        <Waiting me={me} />
      </Suspense>
    )
  )
}

export default {
  name: 'roll-calls',
  navigation: [
    {
      positions: { profileMenu: 42 },
      paths: ['/roll-calls'],
      label: { en: 'Roll calls', ja: '安否確認' },
      icon: CircleAlert,
      visibleTo: 'members',
      useBadgeCount: useBadge,
    },
  ],
  Overlay: WaitingTrigger,
} satisfies WebModule
