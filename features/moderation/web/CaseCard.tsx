import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { type Person, profilePath } from '#features/people/contract.ts'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import Files from '#features/posts/web/Files.tsx'
import { replyPath } from '#features/replies/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { type EvidenceItem, type ListedCase, type ModerationCase, moderationEndpoints } from '../contract.ts'
import { DecisionForm } from './DecisionForm.tsx'
import { moderationText, reportText } from './text.ts'

const caseKey = (id: number) => [moderationEndpoints.show.path, id]

/** Its details are loaded when the moderator opens them. */
export function CaseCard({ row }: { row: ListedCase }) {
  const t = useText(moderationText)
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const { kind, chat, author, created_at, reports_count, outcome } = row
  return (
    <div className="moderation-item">
      <p>
        {t.kinds[kind]} <PersonLink person={author} /> {chat && t.chats[chat]}
        <span className="moderation-facts text-meta">
          {t.reports(reports_count)}
          <Dot />
          <RelativeTime at={created_at} showFullDate />
          {outcome && (
            <>
              <Dot />
              {t.actions[outcome]}
            </>
          )}
        </span>
      </p>
      <Button small aria-expanded={isOpen} aria-controls={details} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.hideDetails : t.details}
      </Button>
      <div id={details}>{isOpen && <CaseDetails id={row.id} />}</div>
    </div>
  )
}

function PersonLink({ person }: { person: Person | null }) {
  const t = useText(moderationText)
  if (!person) return t.former
  return (
    <Link className="link" href={profilePath(person)}>
      <PersonName>{person.name}</PersonName>
    </Link>
  )
}

function CaseDetails({ id }: { id: number }) {
  const t = useText(moderationText)
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: caseKey(id),
    queryFn: () => callEndpoint(moderationEndpoints.show, { id }),
  })
  if (!data && error)
    return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
  if (!data) return <LoadingText />
  const onChanged = (changed: ModerationCase) => {
    client.setQueryData(caseKey(id), changed)
    void client.invalidateQueries({ queryKey: [moderationEndpoints.cases.path] })
  }
  return (
    <div className="moderation-details">
      <h3>{t.reportsTitle}</h3>
      <Reports reports={data.reports} />
      <h3>{t.excerpt}</h3>
      <Openings openings={data.openings} />
      {data.evidence ? (
        <Evidence items={data.evidence} />
      ) : (
        <EvidenceState data={data} onChanged={onChanged} />
      )}
      <SubjectLink data={data} />
      {data.images.length > 0 && <AttachedPictures images={data.images} isAboveFold={false} width={320} />}
      {data.files && <Files files={data.files} />}
      {data.decisions.length > 0 && <h3>{t.decisionsTitle}</h3>}
      <Decisions decisions={data.decisions} />
      {(data.reading === 'open' || data.reading === 'deleted') && (
        <DecisionForm data={data} onDecided={onChanged} onConflict={() => refetch()} />
      )}
    </div>
  )
}

function Reports({ reports }: Pick<ModerationCase, 'reports'>) {
  const t = useText(reportText)
  return (
    <ul>
      {reports.map(({ reporter, reason, note, created_at }) => (
        <li key={reporter.id}>
          <PersonLink person={reporter} />: {t.reasons[reason]}{' '}
          <span className="text-meta">
            <RelativeTime at={created_at} showFullDate />
          </span>
          {note && <UserText className="moderation-note">{note}</UserText>}
        </li>
      ))}
    </ul>
  )
}

/** Nobody reads evidence from a private chat without the others knowing. */
function Openings({ openings }: Pick<ModerationCase, 'openings'>) {
  const t = useText(moderationText)
  return openings.map(({ moderator, is_alone, created_at }) => (
    <p key={`${moderator?.id} ${created_at}`} className="text-meta">
      {is_alone ? t.openedAlone : t.openedBy} <PersonLink person={moderator} /> ·{' '}
      <RelativeTime at={created_at} showFullDate />
    </p>
  ))
}

function Evidence({ items }: { items: readonly EvidenceItem[] }) {
  const t = useText(moderationText)
  return (
    <ol className="moderation-evidence">
      {items.map(({ user, text, images_count, file_names, created_at, is_reported }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the copy never changes
        <li key={index} data-reported={is_reported || undefined}>
          <span className="text-meta">
            <PersonLink person={user} />
            <Dot />
            <RelativeTime at={created_at} showFullDate />
          </span>
          <UserText className="moderation-note">{text}</UserText>
          {images_count > 0 && <span className="text-meta">{t.pictures(images_count)}</span>}
          {file_names && (
            <span className="text-meta">
              {t.files}
              <UserText>{file_names.join(', ')}</UserText>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

/** Shows nothing for other kinds, and if the reply was deleted. */
function SubjectLink({ data: { kind, subject_id, post_id } }: { data: ModerationCase }) {
  const t = useText(moderationText)
  const post = kind === 'post' ? subject_id : post_id
  if (!post) return null
  const isReply = kind === 'reply'
  const path = isReply ? replyPath({ id: subject_id, post_id: post }) : `/posts/${post}`
  return (
    <Link className="link" href={path}>
      {isReply ? t.showReply : t.showPost}
    </Link>
  )
}

interface EvidenceStateProps {
  data: ModerationCase
  onChanged: (changed: ModerationCase) => void
}

function EvidenceState({ data: { id, reading }, onChanged }: EvidenceStateProps) {
  const t = useText(moderationText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const open = () =>
    run(() => callEndpoint(moderationEndpoints.open, { id })).then(onChanged, (error: unknown) => {
      if (!(error instanceof CancelledError)) showToast(explain(error), { kind: 'error' })
    })
  return (
    <div>
      <p className="text-soft">{t.reading[reading]}</p>
      {(reading === 'closed' || reading === 'alone') && <Button onClick={open}>{t.openExcerpt}</Button>}
      {dialog}
    </div>
  )
}

function Decisions({ decisions }: Pick<ModerationCase, 'decisions'>) {
  const t = useText(moderationText)
  return decisions.map(({ moderator, action, note, created_at }) => (
    <p key={created_at}>
      <b>{t.actions[action]}</b>
      <Dot />
      <PersonLink person={moderator} />{' '}
      <span className="text-meta">
        <RelativeTime at={created_at} showFullDate />
      </span>
      <UserText className="moderation-note">{note}</UserText>
    </p>
  ))
}
