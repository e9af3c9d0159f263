import './calendars.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarSync, Copy } from 'lucide-react'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import * as dates from '#web/dates.ts'
import { useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type CalendarAddress, calendarEndpoints } from '../contract.ts'
import { addressText } from './text.ts'

export default function AddressPageSection() {
  const me = useMe()
  return me && <Address key={me.id} />
}

const key = [calendarEndpoints.get.path]

/** The member's own address for other calendars. It is shown only when it is made. */
function Address() {
  const t = useText(addressText)
  const client = useQueryClient()
  const [url, setUrl] = useState<string | null>(null)
  const [open, setOpen] = useState<'renew' | 'end' | null>(null)
  const { data } = useQuery({ queryKey: key, queryFn: () => callEndpoint(calendarEndpoints.get, {}) })
  const renew = async () => {
    const { url: made, ...address } = await callEndpoint(calendarEndpoints.renew, {})
    client.setQueryData(key, address)
    setUrl(made)
  }
  const end = async () => {
    client.setQueryData(key, await callEndpoint(calendarEndpoints.end, {}))
    setUrl(null)
  }
  if (!data) return null
  return (
    <section className="card alone calendar-address">
      <h2>
        <Icon icon={CalendarSync} /> {t.title}
      </h2>
      <p>{t.help}</p>
      {url === null ? <State address={data} /> : <Shown url={url} />}
      <div className="actions">
        {data.created_at === null ? (
          <MakeButton onMake={renew} />
        ) : (
          <>
            <Button small onClick={() => setOpen('renew')}>
              {t.renew}
            </Button>
            <Button small kind="danger" onClick={() => setOpen('end')}>
              {t.end}
            </Button>
          </>
        )}
      </div>
      {open !== null && (
        <ConfirmDialog
          title={open === 'renew' ? t.renewAsk : t.endAsk}
          confirmLabel={open === 'renew' ? t.renew : t.end}
          onConfirm={open === 'renew' ? renew : end}
          onDone={() => open === 'end' && showToast(t.ended)}
          onClose={() => setOpen(null)}
        >
          {open === 'renew' ? t.renewHelp : t.endHelp}
        </ConfirmDialog>
      )}
    </section>
  )
}

function MakeButton({ onMake }: { onMake: () => Promise<void> }) {
  const t = useText(addressText)
  const explain = useErrorText()
  const [isPending, setPending] = useState(false)
  const make = async () => {
    setPending(true)
    await onMake().catch((error: unknown) => showToast(explain(error), { kind: 'error' }))
    setPending(false)
  }
  return (
    <Button pending={isPending} onClick={make}>
      {t.make}
    </Button>
  )
}

function State({ address: { created_at, read_at } }: { address: CalendarAddress }) {
  const t = useText(addressText)
  const lang = useLang()
  if (created_at === null) return null
  return (
    <p className="text-meta">
      {t.since(dates.medium(created_at, lang))}{' '}
      {read_at === null ? t.never : t.read(dates.dayAndClock(read_at, lang))}
    </p>
  )
}

function Shown({ url }: { url: string }) {
  const t = useText(addressText)
  const explain = useErrorText()
  const copy = () =>
    copyText(url).then(
      () => showToast(t.copied),
      (error: unknown) => showToast(explain(error), { kind: 'error' }),
    )
  return (
    <>
      <p role="status">{t.shown}</p>
      <input
        className="input"
        readOnly
        aria-label={t.address}
        value={url}
        onFocus={(event) => event.target.select()}
      />
      <div className="actions">
        <Button small icon={Copy} onClick={copy}>
          {t.copy}
        </Button>
        <a className="button secondary small" href={url.replace(/^https?:/, 'webcal:')}>
          {t.open}
        </a>
      </div>
    </>
  )
}
