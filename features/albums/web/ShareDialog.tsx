import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { albumLinkEndpoints, linkDays } from '../contract.ts'
import { Links } from './Links.tsx'
import { shareText } from './share-text.ts'

export function ShareDialog({ album, onClose }: { album: number; onClose: () => void }) {
  const t = useText(shareText)
  const id = useId()
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const [days, setDays] = useState<(typeof linkDays)[number]>(30)
  const { data: links = [], refetch } = useQuery({
    queryKey: [albumLinkEndpoints.list.path, album],
    queryFn: () => callEndpoint(albumLinkEndpoints.list, { id: album }),
  })
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(albumLinkEndpoints.create, { id: album, days })),
    onSuccess: () => void refetch(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const copy = () =>
    data &&
    copyText(data.url).then(
      () => showToast(t.copied),
      (failure: unknown) => showToast(explain(failure), { kind: 'error' }),
    )
  return (
    <Dialog open title={t.title} onClose={onClose}>
      <form className="album-form" onSubmit={submit}>
        <p>{t.help}</p>
        <div className="field">
          <label htmlFor={id}>{t.days}</label>
          <select
            id={id}
            className="input"
            value={days}
            onChange={({ target }) => setDays(linkDays.find((one) => String(one) === target.value)!)}
          >
            {linkDays.map((one) => (
              <option key={one} value={one}>
                {t.choice(one)}
              </option>
            ))}
          </select>
        </div>
        {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
        <Button kind="primary" type="submit" pending={isPending}>
          {t.make}
        </Button>
      </form>
      {data && (
        <div className="album-form" role="status">
          <strong>{t.ready}</strong>
          <input className="input" readOnly aria-label={t.title} value={data.url} />
          <Button onClick={copy}>{t.copy}</Button>
        </div>
      )}
      {links.length > 0 && (
        <section className="album-form">
          <h3>{t.links}</h3>
          <Links links={links} onEnded={() => void refetch()} />
        </section>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
      {dialog}
    </Dialog>
  )
}
