import { Suspense } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { messageIdOfOpenDeliveryDialogStore } from './open-dialog.ts'

const DeliveryDialog = lazyWithRetry(() => import('./DeliveryDialog.tsx'))

/**
 * Renders the dialog that says how a message reached the member, if the menu of this message has opened it.
 * Otherwise renders nothing.
 */
export default function DeliveriesContentFooter({ content }: { content: PostReplyOrMessageInfo }) {
  const isOpen = useStore(
    messageIdOfOpenDeliveryDialogStore,
    (id) => content.kind === 'message' && id === content.id,
  )
  if (!isOpen) return null
  return (
    <Suspense>
      <DeliveryDialog message={content.id} onClose={() => messageIdOfOpenDeliveryDialogStore.set(null)} />
    </Suspense>
  )
}
