import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { type DeviceLogInLinkStateAndExpiry, deviceLogInLinkEndpoints } from '../device-link-contract.ts'
import { deviceLogInLinkText } from './device-link-text.ts'
import { QrCode } from './QrCode.tsx'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

/** The time in ms between two requests that ask the server whether the other device has used the link. */
const POLL_INTERVAL = 2000

/**
 * Renders a button that creates and shows a QR code. Another device scans the code to log in to the same
 * account.
 */
export function LogInOtherDeviceButton() {
  const t = useText(deviceLogInLinkText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, data, reset, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(deviceLogInLinkEndpoints.create, {})),
    // Removes the link from memory as soon as the page does not show it any more.
    gcTime: 0,
    onError: (failure) => {
      if (failure instanceof ActionCancelledError) return
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      else showToast(formatError(failure), { key: 'device link', kind: 'error' })
    },
  })
  return (
    <>
      {data ? (
        <DeviceLink key={data.link} {...data} onRenew={() => mutate()} onClose={reset} />
      ) : (
        <div className="form-actions">
          <Button pending={isPending} onClick={() => mutate()}>
            {t.add}
          </Button>
        </div>
      )}
      {dialog}
    </>
  )
}

interface DeviceLinkProps {
  link: string
  expires_at: string
  onRenew: () => void
  onClose: () => void
}

/**
 * Returns the state of the device link that expires at `expires_at`. `newest` is the state of the member's
 * newest link. If the newest link expires at another time, it has replaced the link that the page shows,
 * which has then ended. Before the first response (`newest` is undefined), the link counts as open.
 */
const toStateOf = (expires_at: string, newest: DeviceLogInLinkStateAndExpiry | undefined) => {
  if (!newest) return 'open'
  return newest.expires_at === expires_at ? newest.state : 'ended'
}

/**
 * Renders a device link as a QR code until the link is used, has expired, or is replaced by another link;
 * then renders a message about that. The last button closes this view, and ends the link if it is still open.
 */
function DeviceLink({ link, expires_at, onRenew, onClose }: DeviceLinkProps) {
  const t = useText(deviceLogInLinkText)
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [deviceLogInLinkEndpoints.state.path, link],
    queryFn: () => callEndpoint(deviceLogInLinkEndpoints.state, {}),
    refetchInterval: ({ state }) => (toStateOf(expires_at, state.data) === 'open' ? POLL_INTERVAL : false),
    gcTime: 0,
  })
  const state = toStateOf(expires_at, data)
  useEffect(() => {
    if (state === 'used') void client.invalidateQueries({ queryKey: [accountEndpoints.sessions.path] })
  }, [state, client])
  const close = () => {
    if (state === 'open')
      callEndpoint(deviceLogInLinkEndpoints.cancel, {}).catch((failure: unknown) =>
        showToast(formatError(failure), { key: 'device link', kind: 'error' }),
      )
    onClose()
  }
  const copy = () =>
    copyTextToClipboard(link).then(
      () => showToast(t.copied, { key: 'device link' }),
      () => showToast(t.copyFailed, { key: 'device link', kind: 'error' }),
    )
  return (
    <div className="device-link">
      {state === 'open' && (
        <>
          <p>{t.scan}</p>
          <QrCode text={link} label={t.qrCode} />
        </>
      )}
      <div role="status">
        {state === 'used' && <Notice kind="success">{t.used}</Notice>}
        {state === 'ended' && <Notice kind="warning">{t.ended}</Notice>}
      </div>
      <div className="form-actions">
        {state === 'open' && <Button onClick={copy}>{t.copy}</Button>}
        {state === 'ended' && <Button onClick={onRenew}>{t.newCode}</Button>}
        <Button onClick={close}>{t.done}</Button>
      </div>
    </div>
  )
}
