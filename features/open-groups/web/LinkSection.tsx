import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Link2, Printer, Share2 } from 'lucide-react'
import { useState } from 'react'
import { PrintSheet, useCommunityLang } from '#features/account/web/PrintSheet.tsx'
import { QrCode } from '#features/account/web/QrCode.tsx'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import * as dates from '#web/dates.ts'
import { useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { canShare, share } from '#web/share.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type GroupDetails, LINK_DAYS, linkEndpoints } from '../contract.ts'
import { linkText, sheetText } from './link-text.ts'
import { detailsKey } from './queries.ts'

interface Made {
  token: string
  expires_at: string
}
const addressOf = ({ token }: Made) => `${location.origin}/groups/link/${token}`

/** For who manages the group. */
export function LinkSection({ group }: { group: GroupDetails }) {
  const t = useText(linkText)
  const lang = useLang()
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [made, setMade] = useState<Made | null>(null)
  const [question, setQuestion] = useState<'renew' | 'end' | null>(null)
  const { id, link_until } = group
  const reload = () => client.invalidateQueries({ queryKey: detailsKey })
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(linkEndpoints.create, { id })),
    onSuccess: setMade,
    onError: (error) => error instanceof CancelledError || showToast(explain(error), { kind: 'error' }),
    onSettled: reload,
  })
  return (
    <section className="card group-link">
      <h2>{t.title}</h2>
      <p className="text-soft">{t.help(LINK_DAYS)}</p>
      {made && <MadeLink made={made} group={group} />}
      {!made && link_until && <p>{t.hasLink(dates.printed(link_until, lang))}</p>}
      <div className="cluster">
        <Button
          icon={Link2}
          pending={isPending}
          onClick={() => (link_until ? setQuestion('renew') : mutate())}
        >
          {link_until ? t.renew : t.create}
        </Button>
        {link_until && (
          <Button kind="danger" onClick={() => setQuestion('end')}>
            {t.end}
          </Button>
        )}
      </div>
      {question === 'renew' && (
        <ConfirmDialog
          title={t.renewTitle}
          confirmLabel={t.renew}
          onConfirm={() => run(() => callEndpoint(linkEndpoints.create, { id }))}
          onDone={(renewed) => {
            setMade(renewed)
            void reload()
          }}
          onClose={() => setQuestion(null)}
        >
          {t.renewHelp}
        </ConfirmDialog>
      )}
      {question === 'end' && (
        <ConfirmDialog
          title={t.endTitle}
          confirmLabel={t.end}
          isDestructive
          onConfirm={() => run(() => callEndpoint(linkEndpoints.end, { id }))}
          onDone={({ message }) => {
            setMade(null)
            showToast(message)
            void reload()
          }}
          onClose={() => setQuestion(null)}
        >
          {t.endHelp}
        </ConfirmDialog>
      )}
      {dialog}
    </section>
  )
}

function MadeLink({ made, group }: { made: Made; group: GroupDetails }) {
  const t = useText(linkText)
  const link = addressOf(made)
  const copy = () =>
    copyText(link).then(
      () => showToast(t.copied),
      () => showToast(t.copyFailed, { kind: 'error' }),
    )
  return (
    <>
      <Notice kind="warning">{t.shownOnce}</Notice>
      <div className="made-link">
        <QrCode text={link} label={t.qrCode(group.name)} />
        <p translate="no">{link}</p>
      </div>
      <div className="cluster">
        {canShare && (
          <Button icon={Share2} onClick={() => void share({ text: group.name, url: link }).catch(copy)}>
            {t.share}
          </Button>
        )}
        <Button icon={Copy} onClick={copy}>
          {t.copy}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {t.print}
        </Button>
      </div>
      <Sheet made={made} group={group} />
    </>
  )
}

/** In the language of the community, because others read it. */
function Sheet({ made, group: { name, reading, description } }: { made: Made; group: GroupDetails }) {
  const lang = useCommunityLang()
  const t = sheetText[lang]
  return (
    <PrintSheet>
      <div className="group-sheet" lang={lang}>
        <p>{pageData.app.name}</p>
        {reading && <p>{reading}</p>}
        <h1>{name}</h1>
        {description && <p className="description">{description}</p>}
        <QrCode text={addressOf(made)} label="" />
        <p>{t.use}</p>
        <p className="address">{addressOf(made)}</p>
        <p>{t.until(dates.printed(made.expires_at, lang))}</p>
      </div>
    </PrintSheet>
  )
}
