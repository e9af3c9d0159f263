import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import type { MyGroup } from '../contract.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { useMyGroups } from './conversation-lists.tsx'
import { chatText, fixed } from './text.ts'

/** The groups that I belong to, the newest conversation first. */
export function Groups({ me, current }: { me: Me; current: number | null }) {
  const t = useText(chatText)
  const { data, error, isFetching, refetch } = useMyGroups()
  if (!data && isHttpError(error, 401)) return <PleaseLogIn />
  if (!data)
    return error ? (
      <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <RowSkeleton count={4} />
    )
  if (!data.length)
    return (
      <Empty title={<QuotedText {...fixed.noGroups} />} help={t.askAdmin}>
        {me.is_admin ? (
          <ButtonLink kind="primary" href="/admin/creategroup">
            {t.createGroup}
          </ButtonLink>
        ) : (
          <ButtonLink href="/follow">{t.searchUsers}</ButtonLink>
        )}
      </Empty>
    )
  return (
    <ul className="rows">
      {data.map((group) => (
        <GroupRow key={group.id} group={group} me={me.id} current={group.id === current} />
      ))}
    </ul>
  )
}

interface GroupRowProps {
  group: MyGroup
  me: number
  current: boolean
  /** Says how many belong to it, and not what was said last. */
  still?: boolean
}
export function GroupRow({
  group: { id, name, members_count, last_message },
  me,
  current,
  still,
}: GroupRowProps) {
  const t = useText(chatText)
  return (
    <ConversationRow
      place={{ kind: 'groups', id }}
      href={`/group-chat/${id}`}
      name={name}
      face={<Avatar person={{ id, name, profile_image: null }} group />}
      last={still ? null : last_message}
      silent={t.members(members_count)}
      me={me}
      named
      current={current}
    />
  )
}
