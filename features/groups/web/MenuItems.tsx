import {
  Archive,
  ArchiveRestore,
  Hourglass,
  Image,
  KeyRound,
  LogOut,
  MessageSquareLock,
  PencilLine,
  TextInitial,
  Trash2,
  UserPlus,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchMenuItems } from '#features/people/web/SearchMenuItems.tsx'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { PageSections } from '#web/views.tsx'
import type { GroupDialogKind } from './Dialog.tsx'
import { groupMenuText } from './menu-text.ts'

interface Props {
  group: number
  isManager: boolean
  hasEnded: boolean
  muteItems: ReactNode
  onOpen: (dialog: GroupDialogKind) => void
}

export default function GroupMenuItems({ group, isManager, hasEnded, muteItems, onOpen }: Props) {
  const t = useText(groupMenuText)
  return (
    <>
      <MenuItemButton icon={Users} onPress={() => onOpen('members')}>
        {t.showMembers}
      </MenuItemButton>
      <SearchMenuItems place={`group:${group}`} />
      {muteItems}
      <PageSections path="/group-chat/:id#menu" />
      {isManager && (
        <>
          {!hasEnded && (
            <MenuItemButton icon={UserPlus} onPress={() => onOpen('add')}>
              {t.addPeople}
            </MenuItemButton>
          )}
          <MenuItemButton icon={PencilLine} onPress={() => onOpen('rename')}>
            {t.rename}
          </MenuItemButton>
          <MenuItemButton icon={TextInitial} onPress={() => onOpen('description')}>
            {t.description}
          </MenuItemButton>
          <MenuItemButton icon={Image} onPress={() => onOpen('picture')}>
            {t.picture}
          </MenuItemButton>
          <MenuItemButton icon={KeyRound} onPress={() => onOpen('handOver')}>
            {t.handOver}
          </MenuItemButton>
          {!hasEnded && (
            <>
              <MenuItemButton icon={MessageSquareLock} onPress={() => onOpen('writers')}>
                {t.writers}
              </MenuItemButton>
              <MenuItemButton icon={Hourglass} onPress={() => onOpen('slowMode')}>
                {t.slowMode}
              </MenuItemButton>
            </>
          )}
          <MenuItemButton icon={hasEnded ? ArchiveRestore : Archive} onPress={() => onOpen('end')}>
            {hasEnded ? t.reopen : t.end}
          </MenuItemButton>
        </>
      )}
      <hr />
      <MenuItemButton icon={LogOut} danger onPress={() => onOpen('leave')}>
        {t.leave}
      </MenuItemButton>
      {isManager && (
        <MenuItemButton icon={Trash2} danger onPress={() => onOpen('delete')}>
          {t.deleteGroup}
        </MenuItemButton>
      )}
    </>
  )
}
