import {
  Ellipsis,
  Hourglass,
  Image,
  KeyRound,
  LogOut,
  PencilLine,
  TextInitial,
  Trash2,
  UserPlus,
  Users,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import type { Group } from '../group-contract.ts'
import { useConversationMuteMenuItemAndDialog } from './ConversationMute.tsx'
import type { GroupDialogKind } from './GroupDialog.tsx'
import { groupMenuText } from './group-menu-text.ts'

const GroupDialog = lazyWithRetry(() => import('./GroupDialog.tsx'))

/**
 * Renders the menu of a group. Admins and the owner of the group have more items in it than other members.
 */
export function GroupMenu({ group, me }: { group: Group; me: Me }) {
  const t = useText(groupMenuText)
  const [openDialog, setOpenDialog] = useState<GroupDialogKind | null>(null)
  const isManager = me.is_admin || group.is_owner
  const mute = useConversationMuteMenuItemAndDialog({ kind: 'groups', id: group.id })
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.more} />}
      >
        <MenuItemButton icon={Users} onPress={() => setOpenDialog('members')}>
          {t.showMembers}
        </MenuItemButton>
        {mute.item}
        {isManager && (
          <>
            <MenuItemButton icon={UserPlus} onPress={() => setOpenDialog('add')}>
              {t.addPeople}
            </MenuItemButton>
            <MenuItemButton icon={PencilLine} onPress={() => setOpenDialog('rename')}>
              {t.rename}
            </MenuItemButton>
            <MenuItemButton icon={TextInitial} onPress={() => setOpenDialog('description')}>
              {t.description}
            </MenuItemButton>
            <MenuItemButton icon={Image} onPress={() => setOpenDialog('picture')}>
              {t.picture}
            </MenuItemButton>
            <MenuItemButton icon={KeyRound} onPress={() => setOpenDialog('handOver')}>
              {t.handOver}
            </MenuItemButton>
            <MenuItemButton icon={Hourglass} onPress={() => setOpenDialog('slowMode')}>
              {t.slowMode}
            </MenuItemButton>
          </>
        )}
        <hr />
        <MenuItemButton icon={LogOut} danger onPress={() => setOpenDialog('leave')}>
          {t.leave}
        </MenuItemButton>
        {isManager && (
          <MenuItemButton icon={Trash2} danger onPress={() => setOpenDialog('delete')}>
            {t.deleteGroup}
          </MenuItemButton>
        )}
      </Menu>
      {mute.dialog}
      {openDialog && (
        <Suspense>
          <GroupDialog kind={openDialog} group={group} me={me} close={() => setOpenDialog(null)} />
        </Suspense>
      )}
    </>
  )
}
