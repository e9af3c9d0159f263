import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import { Layout } from '#features/conversations/web/Layout.tsx'
import { MutedIcon } from '#features/conversations/web/Mute.tsx'
import { chatText } from '#features/conversations/web/text.ts'
import { groupEndpoints } from '#features/groups/contract.ts'
import { GroupMenu } from '#features/groups/web/Menu.tsx'
import type { Me } from '#features/people/contract.ts'
import { fetchPage } from '#web/api.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import * as realtime from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { GroupChat } from '../contract.ts'
import { Pane } from './Pane.tsx'
import { messageText } from './text.ts'

const MAX_AVATARS = 4

export default function GroupPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <Layout
      current={{ kind: 'groups', id }}
      renderConversation={(me) => (
        <Pane<GroupChat>
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

/** Looks only at the first page of the member list. */
function useOnlineGroupMembers({ id, members_count }: GroupChat) {
  const onlineIds = realtime.useOnline()
  const { data } = useQuery({
    queryKey: [groupEndpoints.members.path, id, members_count],
    queryFn: () => fetchPage(groupEndpoints.members, { id }),
    placeholderData: (previous) => previous,
  })
  return (data?.rows ?? []).filter((member) => onlineIds.has(member.id))
}

function Header({ group, me }: { group: GroupChat; me: Me }) {
  const t = useText(messageText)
  const chat = useText(chatText)
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
        <MutedIcon conversation={{ kind: 'groups', id: group.id }} />
        <span className="sub">{chat.members(group.members_count)}</span>
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

/** One line, and the whole text after a click. */
function GroupDescriptionLine({ children: text }: { children: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <button
      type="button"
      className="group-description-line text-meta"
      aria-expanded={isOpen}
      dir="auto"
      lang={detectLanguage(text)}
      onClick={() => setIsOpen(!isOpen)}
    >
      {text}
    </button>
  )
}

function NoGroupAccess() {
  const t = useText(messageText)
  return (
    <section className="conversation" aria-label={t.noSuchGroup}>
      <EmptyState withoutBackground as="h1" title={t.noSuchGroup} help={t.noSuchGroupHelp}>
        <ButtonLink href="/my-groups">{t.toGroups}</ButtonLink>
      </EmptyState>
    </section>
  )
}
