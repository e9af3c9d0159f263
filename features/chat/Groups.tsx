import type { MyGroup } from '#features/chat/contract.ts'
import { useMyGroups } from '#features/chat/lists.tsx'
import { ConversationRow } from '#features/chat/Rows.tsx'
import { chatText, fixed } from '#features/chat/text.ts'
import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/PleaseLogIn.tsx'
import { isHttpError } from '#web/failure.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { useText } from '#web/text.ts'
import { RowSkeleton } from '#web/ui/Bones.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Avatar } from '#web/ui/Face.tsx'
import { QuotedText } from '#web/ui/Fixed.tsx'

/** The groups that I belong to, the newest conversation first. */
export function Groups({ me, current }: { me: Me; current: number | null }) {
  const t = useText(chatText)
  const { data, error, isFetching, refetch } = useMyGroups()
  if (!data && isHttpError(error, 401)) return <PleaseLogIn />
  if (!data) return error ? <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} /> : <RowSkeleton count={4} />
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
export function GroupRow({ group: { id, name, members_count, last_message }, me, current, still }: GroupRowProps) {
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
