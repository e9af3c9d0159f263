import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints, deviceLinkEndpoints, type LinkState } from '../contract.ts'
import { deviceLinkText } from './device-link-text.ts'
import { QrCode } from './QrCode.tsx'
import { useConfirmation } from './useConfirmation.tsx'

/** In ms. */
const POLL_INTERVAL = 2000

/** The other device scans the QR code. */
export function OtherDeviceButton() {
  const t = useText(deviceLinkText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, data, reset, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(deviceLinkEndpoints.create, {})),
    // Out of memory as soon as the page does not show it any more.
    gcTime: 0,
    onError: (failure) => {
      if (failure instanceof CancelledError) return
      if (hasStatus(failure, 401)) showLogInToast()
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

interface Props {
  link: string
  expires_at: string
  onRenew: () => void
  onClose: () => void
}

/**
 * `newest` is the member's newest link; if it expires at another time, it has replaced the shown one, which
 * has ended. Before the first response, the link counts as open.
 */
const toStateOf = (expires_at: string, newest: LinkState | undefined) => {
  if (!newest) return 'open'
  return newest.expires_at === expires_at ? newest.state : 'ended'
}

/** The last button closes this view, and ends the link if it is still open. */
function DeviceLink({ link, expires_at, onRenew, onClose }: Props) {
  const t = useText(deviceLinkText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [deviceLinkEndpoints.state.path, link],
    queryFn: () => callEndpoint(deviceLinkEndpoints.state, {}),
    refetchInterval: ({ state }) => (toStateOf(expires_at, state.data) === 'open' ? POLL_INTERVAL : false),
    gcTime: 0,
  })
  const state = toStateOf(expires_at, data)
  useEffect(() => {
    if (state === 'used') void client.invalidateQueries({ queryKey: [accountEndpoints.sessions.path] })
  }, [state, client])
  const close = () => {
    if (state === 'open')
      callEndpoint(deviceLinkEndpoints.cancel, {}).catch((failure: unknown) =>
        showToast(formatError(failure), { key: 'device link', kind: 'error' }),
      )
    onClose()
  }
  const copy = () =>
    copyText(link).then(
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
