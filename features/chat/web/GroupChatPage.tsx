import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { fetchListPage } from '#web/api.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { useOnlineMembersById } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Group, groupEndpoints } from '../group-contract.ts'
import { ChatTwoPaneLayout } from './ChatTwoPaneLayout.tsx'
import { MutedConversationIcon } from './ConversationMute.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { GroupMenu } from './GroupMenu.tsx'
import { chatText } from './text.ts'

const MAX_AVATARS = 4

export default function GroupChatPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatTwoPaneLayout
      current={{ kind: 'groups', id }}
      renderConversation={(me) => (
        <ConversationPane<Group>
          key={id}
          conversation={{ kind: 'groups', id }}
          me={me}
          renderHeader={(group) => <Header group={group} me={me} />}
          renderClosed={() => <NoGroupAccess />}
        />
      )}
    />
  )
}

/** Returns those members on the first page of the group's member list who are online. */
function useOnlineGroupMembers({ id, members_count }: Group) {
  const onlineIds = useOnlineMembersById()
  const { data } = useQuery({
    queryKey: [groupEndpoints.members.path, id, members_count],
    queryFn: () => fetchListPage(groupEndpoints.members, { id }),
    placeholderData: (previous) => previous,
  })
  return (data?.rows ?? []).filter((member) => onlineIds.has(member.id))
}

function Header({ group, me }: { group: Group; me: Me }) {
  const t = useText(chatText)
  const others = useOnlineGroupMembers(group).filter(({ id }) => id !== me.id)
  return (
    <>
      {group.picture && (
        <div className="header-aside">
          <Avatar person={{ id: group.id, name: group.name, profile_image: group.picture }} group />
        </div>
      )}
      <h1 className="title" tabIndex={-1}>
        <UserText>{group.name}</UserText>
        <MutedConversationIcon conversation={{ kind: 'groups', id: group.id }} />
        <span className="sub">{t.members(group.members_count)}</span>
      </h1>
      {others.length > 0 && (
        <div className="header-aside" role="img" aria-label={t.onlineLabel(others.length)}>
          {others.slice(0, MAX_AVATARS).map((member) => (
            <Avatar key={member.id} person={member} size="s" />
          ))}
          <span className="more">{t.onlineCount(others.length)}</span>
        </div>
      )}
      <div className="actions">
        <GroupMenu group={group} me={me} />
      </div>
      {group.description && <GroupDescriptionLine>{group.description}</GroupDescriptionLine>}
    </>
  )
}

/**
 * Renders the description of a group in the header of its chat: one line, and the whole text after a click.
 */
function GroupDescriptionLine({ children: text }: { children: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <button
      type="button"
      className="group-description-line text-meta"
      aria-expanded={isOpen}
      dir="auto"
      lang={detectLanguageOfUserText(text)}
      onClick={() => setIsOpen(!isOpen)}
    >
      {text}
    </button>
  )
}

function NoGroupAccess() {
  const t = useText(chatText)
  return (
    <section className="conversation" aria-label={t.noSuchGroup}>
      <EmptyState withoutBackground as="h1" title={t.noSuchGroup} help={t.noSuchGroupHelp}>
        <ButtonLink href="/my-groups">{t.toGroups}</ButtonLink>
      </EmptyState>
    </section>
  )
}
