import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { apiPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useHere } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Name } from '#web/ui/Name.tsx'
import { type Group, groups } from '../contract.ts'
import { ChatFrame } from './ChatFrame.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { GroupMenu } from './GroupMenu.tsx'
import { chatText } from './text.ts'

const MOST_AVATARS = 4

export default function GroupChatPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatFrame
      current={{ kind: 'groups', id }}
      thread={(me) => (
        <ConversationPane<Group>
          key={id}
          conversation={{ kind: 'groups', id }}
          me={me}
          header={(group) => <Header group={group} me={me} />}
          closed={() => <Closed />}
        />
      )}
    />
  )
}

/** The members on the first page of the member list who are online. */
function useMembersHere({ id, members_count }: Group) {
  const here = useHere()
  const { data } = useQuery({
    queryKey: [groups.members.path, id, members_count],
    queryFn: () => apiPage(groups.members, { id }),
    placeholderData: (previous) => previous,
  })
  return (data?.rows ?? []).filter((member) => here.has(member.id))
}

function Header({ group, me }: { group: Group; me: Me }) {
  const t = useText(chatText)
  const others = useMembersHere(group).filter(({ id }) => id !== me.id)
  return (
    <>
      <h1 className="title" tabIndex={-1}>
        <Name>{group.name}</Name>
        <span className="sub">{t.members(group.members_count)}</span>
      </h1>
      {others.length > 0 && (
        <div className="header-aside" role="img" aria-label={t.peopleHere(others.length)}>
          {others.slice(0, MOST_AVATARS).map((member) => (
            <Avatar key={member.id} person={member} size="s" />
          ))}
          <span className="more">{t.here(others.length)}</span>
        </div>
      )}
      <div className="acts">
        <GroupMenu group={group} me={me} />
      </div>
    </>
  )
}

function Closed() {
  const t = useText(chatText)
  return (
    <section className="thread" aria-label={t.noSuchGroup}>
      <Empty plain as="h1" title={t.noSuchGroup} help={t.noSuchGroupHelp}>
        <ButtonLink href="/my-groups">{t.toGroups}</ButtonLink>
      </Empty>
    </section>
  )
}
