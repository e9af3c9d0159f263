import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { type Person, toProfilePath } from '#features/people/contract.ts'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import { toReplyPagePath } from '#features/replies/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  type ListedModerationCase,
  type ModerationCase,
  type ModerationEvidenceItem,
  moderationEndpoints,
} from '../contract.ts'
import { moderationPageText } from './desk-text.ts'
import { ModerationDecisionForm } from './ModerationDecisionForm.tsx'
import { reportAndModerationNoticeText } from './report-text.ts'

const caseKey = (id: number) => [moderationEndpoints.show.path, id]

/** Renders one case in the list of moderation cases. Its details are loaded when the moderator opens them. */
export function ExpandableModerationCase({ row }: { row: ListedModerationCase }) {
  const t = useText(moderationPageText)
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const { kind, chat, author, created_at, reports_count, outcome } = row
  return (
    <div className="moderation-item">
      <p>
        {t.kinds[kind]} <PersonLink person={author} /> {chat && t.chats[chat]}
        <span className="moderation-facts text-meta">
          {t.reports(reports_count)} · <RelativeTime at={created_at} showFullDate />
          {outcome && ` · ${t.actions[outcome]}`}
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
  const t = useText(moderationPageText)
  if (!person) return t.former
  return (
    <Link className="link" href={toProfilePath(person)}>
      <bdi>{person.name}</bdi>
    </Link>
  )
}

function CaseDetails({ id }: { id: number }) {
  const t = useText(moderationPageText)
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
      {data.decisions.length > 0 && <h3>{t.decisionsTitle}</h3>}
      <Decisions decisions={data.decisions} />
      {(data.reading === 'open' || data.reading === 'deleted') && (
        <ModerationDecisionForm data={data} onDecided={onChanged} onConflict={() => refetch()} />
      )}
    </div>
  )
}

function Reports({ reports }: Pick<ModerationCase, 'reports'>) {
  const t = useText(reportAndModerationNoticeText)
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

/**
 * Shows who has opened the evidence from a private chat, so that nobody reads it without the others knowing.
 */
function Openings({ openings }: Pick<ModerationCase, 'openings'>) {
  const t = useText(moderationPageText)
  return openings.map(({ moderator, is_alone, created_at }) => (
    <p key={`${moderator?.id} ${created_at}`} className="text-meta">
      {is_alone ? t.openedAlone : t.openedBy} <PersonLink person={moderator} /> ·{' '}
      <RelativeTime at={created_at} showFullDate />
    </p>
  ))
}

function Evidence({ items }: { items: readonly ModerationEvidenceItem[] }) {
  const t = useText(moderationPageText)
  return (
    <ol className="moderation-evidence">
      {items.map(({ user, text, images_count, file_names, created_at, is_reported }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the copy never changes
        <li key={index} data-reported={is_reported || undefined}>
          <span className="text-meta">
            <PersonLink person={user} /> · <RelativeTime at={created_at} showFullDate />
          </span>
          <UserText className="moderation-note">{text}</UserText>
          {images_count > 0 && <span className="text-meta">{t.pictures(images_count)}</span>}
          {file_names && (
            <span className="text-meta">
              {t.files} <UserText>{file_names.join(', ')}</UserText>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

/**
 * Renders a link to the reported post or reply. Renders nothing for other kinds, and if the reply was
 * deleted.
 */
function SubjectLink({ data: { kind, subject_id, post_id } }: { data: ModerationCase }) {
  const t = useText(moderationPageText)
  const post = kind === 'post' ? subject_id : post_id
  if (!post) return null
  const isReply = kind === 'reply'
  const path = isReply ? toReplyPagePath({ id: subject_id, post_id: post }) : `/posts/${post}`
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

/**
 * Renders a text that says why the viewer cannot read the evidence, with a button that opens the evidence
 * from a private chat.
 */
function EvidenceState({ data: { id, reading }, onChanged }: EvidenceStateProps) {
  const t = useText(moderationPageText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const open = () =>
    run(() => callEndpoint(moderationEndpoints.open, { id })).then(onChanged, (error: unknown) => {
      if (!(error instanceof ActionCancelledError)) showToast(explain(error), { kind: 'error' })
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
  const t = useText(moderationPageText)
  return decisions.map(({ moderator, action, note, created_at }) => (
    <p key={created_at}>
      <b>{t.actions[action]}</b> · <PersonLink person={moderator} />{' '}
      <span className="text-meta">
        <RelativeTime at={created_at} showFullDate />
      </span>
      <UserText className="moderation-note">{note}</UserText>
    </p>
  ))
}
