import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { deliveryEndpoints } from '../contract.ts'
import { DeliveryStepList } from './DeliveryStepList.tsx'
import { deliveryText } from './text.ts'

/** Renders the dialog that says how a message reached the member. Each opening loads the steps again. */
export default function DeliveryDialog({ message, onClose }: { message: number; onClose: () => void }) {
  const t = useText(deliveryText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [deliveryEndpoints.message.path, message],
    queryFn: () => callEndpoint(deliveryEndpoints.message, { id: message }),
    gcTime: 0,
  })
  return (
    <Dialog open title={t.title} onClose={onClose}>
      {data && <DeliveryStepList steps={data.steps} />}
      {!data && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
      {!data && !error && <LoadingText />}
      <div className="dialog-actions">
        <ButtonLink href="/account/notifications">{t.settings}</ButtonLink>
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}
