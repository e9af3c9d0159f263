import { Clock, FileText, MessagesSquare, PenLine, UserRound } from 'lucide-react'
import { useId, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { type Scheduled, scheduledEndpoints } from '../contract.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { countStore } from './count.ts'
import { scheduledText } from './page-text.ts'
import { RemoveDialog } from './RemoveDialog.tsx'

interface Props {
  me: number
  scheduled: Scheduled
  onChange: () => void
}

export function ScheduledCard({ me, scheduled, onChange }: Props) {
  const t = useText(scheduledText)
  const lang = useLang()
  const { id, due_at, text, images, files, extras, reason } = scheduled
  const [open, setOpen] = useState<'change' | 'send' | 'remove' | null>(null)
  const done = (words: string) => (answer?: { count: number }) => {
    if (answer) countStore.set({ count: answer.count })
    showToast(words)
    onChange()
  }
  const close = () => setOpen(null)
  const [what, when] = [useId(), useId()]
  // Many cards have the same buttons.
  const about = { 'aria-describedby': `${what} ${when}` }
  return (
    <li className="card scheduled">
      <h2 id={what}>
        <Where scheduled={scheduled} />
      </h2>
      <p className="when" id={when}>
        <Icon icon={Clock} size="s" />
        <time dateTime={due_at}>{t.at(dates.weekday(due_at, lang), dates.clock(due_at, lang))}</time>
      </p>
      {reason !== undefined && <Notice kind="error">{t.notSent(reason)}</Notice>}
      {text && (
        <p className="words">
          <UserText>{text}</UserText>
        </p>
      )}
      {images.length > 0 && (
        <ul className="thumbnails" aria-label={t.pictures(images.length)}>
          {images.map(({ id: image, path, alt }) => (
            <li key={image}>
              <img src={path} alt={alt ?? ''} loading="lazy" />
            </li>
          ))}
        </ul>
      )}
      {(files.length > 0 || extras.length > 0) && (
        <ul className="parts text-meta">
          {files.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none moves
            <li key={at}>
              <Icon icon={FileText} size="s" />
              <UserText>{name}</UserText>
            </li>
          ))}
          {extras.map((name) => (
            <li key={name}>{t.extras[name as keyof typeof t.extras] ?? name}</li>
          ))}
        </ul>
      )}
      <div className="actions">
        <Button small {...about} onClick={() => setOpen('change')}>
          {t.change}
        </Button>
        <Button small {...about} onClick={() => setOpen('send')}>
          {t.sendNow}
        </Button>
        <Button small kind="danger" {...about} onClick={() => setOpen('remove')}>
          {t.remove}
        </Button>
      </div>
      {open === 'change' && <ChangeDialog scheduled={scheduled} onDone={done(t.saved)} onClose={close} />}
      {open === 'send' && (
        <ConfirmDialog
          title={t.sendNowAsk}
          confirmLabel={t.sendNow.replace('…', '')}
          onConfirm={() => callEndpoint(scheduledEndpoints.sendNow, { id })}
          onDone={done(t.sent)}
          onClose={close}
        >
          {t.sendNowHelp}
        </ConfirmDialog>
      )}
      {open === 'remove' && <RemoveDialog me={me} scheduled={scheduled} onDone={done} onClose={close} />}
    </li>
  )
}

/** What it is, and for whom. */
function Where({ scheduled: { kind, person, group, audience } }: { scheduled: Scheduled }) {
  const t = useText(scheduledText)
  if (kind === 'person')
    return (
      <>
        <Icon icon={UserRound} />
        <span>
          {person ? (
            <>
              {t.person[0]}
              <PersonName>{person.name}</PersonName>
              {t.person[1]}
            </>
          ) : (
            t.nobody
          )}
        </span>
      </>
    )
  if (kind === 'group')
    return (
      <>
        <Icon icon={MessagesSquare} />
        <span>
          {group ? (
            <>
              {t.group[0]}
              <UserText>{group.name}</UserText>
              {t.group[1]}
            </>
          ) : (
            t.noGroup
          )}
        </span>
      </>
    )
  const audiences = {
    everyone: t.forEveryone,
    members: t.forMembers,
    followers: t.forFollowers,
    group: group ? t.forGroup(group.name) : t.forNoGroup,
  }
  return (
    <>
      <Icon icon={PenLine} />
      <span>
        {t.post} <span className="text-meta">{audiences[audience ?? 'everyone']}</span>
      </span>
    </>
  )
}
