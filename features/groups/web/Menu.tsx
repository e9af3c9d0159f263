import { Ellipsis } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMuteItems } from '#features/conversations/web/Mute.tsx'
import type { Me } from '#features/people/contract.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { Group } from '../contract.ts'
import type { GroupDialogKind } from './Dialog.tsx'

const GroupMenuItems = lazyWithRetry(() => import('./MenuItems.tsx'))
const GroupDialog = lazyWithRetry(() => import('./Dialog.tsx'))

const groupMenuButtonText = defineTexts({ en: { more: 'More' }, ja: { more: 'その他' } })

export function GroupMenu({ group, me }: { group: Group; me: Me }) {
  const { more } = useText(groupMenuButtonText)
  const [openDialog, setOpenDialog] = useState<GroupDialogKind | null>(null)
  const mute = useMuteItems({ kind: 'groups', id: group.id })
  return (
    <>
      <Menu
        label={more}
        renderButton={(props) => <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={more} />}
      >
        <Suspense>
          <GroupMenuItems
            group={group.id}
            hasEnded={group.ended_at !== undefined}
            isManager={me.is_admin || group.is_owner === true}
            muteItems={mute.items}
            onOpen={setOpenDialog}
          />
        </Suspense>
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
