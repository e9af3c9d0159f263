import { Suspense } from 'react'
import type { ContentRef } from '#web/AddedContentParts.tsx'
import { lazy } from '#web/lazy.ts'
import { useStore } from '#web/store.ts'
import { messageWithOpenDeliveryStore } from './open-dialog.ts'

const DeliveryDialog = lazy(() => import('./DeliveryDialog.tsx'))

/** The dialog that the menu of a message opens; otherwise nothing. */
export default function DeliveriesContentFooter({ content }: { content: ContentRef }) {
  const isOpen = useStore(
    messageWithOpenDeliveryStore,
    (id) => content.kind === 'message' && id === content.id,
  )
  if (!isOpen) return null
  return (
    <Suspense>
      <DeliveryDialog message={content.id} onClose={() => messageWithOpenDeliveryStore.set(null)} />
    </Suspense>
  )
}
