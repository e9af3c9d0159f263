import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type ModerationNotice, reportEndpoints } from '../contract.ts'
import { reportText } from './text.ts'

const queryKey = [reportEndpoints.notices.path]

/** Shows nothing if there are none. */
export function OpenNotices() {
  const t = useText(reportText)
  const explain = useErrorText()
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(reportEndpoints.notices, {}),
  })
  if (error) return <Notice kind="error">{explain(error)}</Notice>
  if (!data?.length) return null
  return (
    <section className="card moderation-section">
      <h2 tabIndex={-1}>{t.noticesTitle}</h2>
      {data.map((notice) => (
        <OpenNotice key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function OpenNotice({
  notice: { id, action, kind, excerpt, note, created_at },
}: {
  notice: ModerationNotice
}) {
  const t = useText(reportText)
  const explain = useErrorText()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(reportEndpoints.acknowledge, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <div className="moderation-item">
      <p>
        <b>{t.notices[action](kind)}</b>{' '}
        <span className="text-meta">
          <RelativeTime at={created_at} showFullDate />
        </span>
      </p>
      {excerpt && <UserText className="moderation-quote">{excerpt}</UserText>}
      <UserText className="moderation-note">{note}</UserText>
      {error && <Notice kind="error">{explain(error)}</Notice>}
      <div className="form-actions">
        <Button kind="primary" pending={isPending} onClick={() => mutate()}>
          {t.acknowledge}
        </Button>
      </div>
    </div>
  )
}
