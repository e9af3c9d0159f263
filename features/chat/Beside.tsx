import type { Conversation, MyGroup } from '#features/chat/contract.ts'
import { useConversations, useMyGroups, useWatchLists } from '#features/chat/lists.tsx'
import { HereFace } from '#features/chat/PrivateChats.tsx'
import { Row } from '#features/chat/Rows.tsx'
import { chatText } from '#features/chat/text.ts'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/text.ts'
import { Face } from '#web/ui/Face.tsx'
import { useUnread } from '#web/unread.ts'

const MOST_WAITING = 5
const MOST_GROUPS = 5

/** What waits to be read, and one's groups. Where it cannot be had, nothing stands here: the chat pages say why. */
export default function Beside({ me }: { me: Me }) {
  const t = useText(chatText)
  const unread = useUnread()
  const conversations = useConversations()
  const groups = useMyGroups()
  useWatchLists(me)
  if (!conversations.data || !groups.data) return null

  const groupRow = (group: MyGroup, silent: boolean) => {
    const { id, name, members_count } = group
    return (
      <Row
        key={`group ${id}`}
        place={{ kind: 'groups', id }}
        href={`/group-chat/${id}`}
        name={name}
        face={<Face person={{ id, name, profile_image: null }} group />}
        last={silent ? null : group.last_message}
        silent={t.members(members_count)}
        me={me.id}
        named
        current={false}
      />
    )
  }
  const privateRow = ({ user, last_message }: Conversation) => (
    <Row
      key={`private ${user.id}`}
      place={{ kind: 'private', id: user.id }}
      href={`/privatechat/${user.id}`}
      name={user.name}
      face={<HereFace person={user} />}
      last={last_message}
      me={me.id}
      current={false}
    />
  )
  const waiting = [
    ...conversations.data
      .filter(({ user }) => unread.private[user.id])
      .map((one) => ({ at: one.last_message?.id ?? 0, row: privateRow(one) })),
    ...groups.data.filter(({ id }) => unread.groups[id]).map((one) => ({ at: one.last_message?.id ?? 0, row: groupRow(one, false) })),
  ].sort((a, b) => b.at - a.at)
  const quiet = groups.data.filter(({ id }) => !unread.groups[id])
  return (
    <>
      {waiting.length > 0 && (
        <section>
          <h2>{t.waitingForYou}</h2>
          <ul className="rows">{waiting.slice(0, MOST_WAITING).map(({ row }) => row)}</ul>
        </section>
      )}
      {quiet.length > 0 && (
        <section>
          <h2>{t.yourGroups}</h2>
          <ul className="rows">{quiet.slice(0, MOST_GROUPS).map((group) => groupRow(group, true))}</ul>
        </section>
      )}
    </>
  )
}
