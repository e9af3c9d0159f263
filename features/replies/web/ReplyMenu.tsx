import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { CopyLinkMenuItem } from '#features/posts/web/CopyLinkMenuItem.tsx'
import { postMenuText } from '#features/posts/web/menu-text.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { type Reply, replyPath } from '../contract.ts'
import { repliesText } from './text.ts'

const DeleteDialog = lazyWithRetry(() => import('./DeleteDialog.tsx'))

/** Loaded after the replies are drawn. */
export default function ReplyMenu({ reply, onEdit }: { reply: Reply; onEdit: () => void }) {
  const t = useText(repliesText)
  const { report } = useText(postMenuText)
  const me = useMe()
  const [isConfirming, setIsConfirming] = useState(false)
  const isOwn = me?.id === reply.user.id
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => (
          <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.moreAbout(reply.user.name)} />
        )}
      >
        <CopyLinkMenuItem path={replyPath(reply)} />
        {isOwn && (
          <MenuItemButton icon={Pencil} onPress={onEdit}>
            {t.edit}
          </MenuItemButton>
        )}
        {me && !isOwn && (
          <MenuItemButton icon={Flag} onPress={() => location.assign(`/report/reply/${reply.id}`)}>
            {report}
          </MenuItemButton>
        )}
        {(isOwn || me?.is_admin) && (
          <>
            <hr />
            <MenuItemButton icon={Trash2} danger onPress={() => setIsConfirming(true)}>
              {t.remove}
            </MenuItemButton>
          </>
        )}
      </Menu>
      {isConfirming && (
        <Suspense>
          <DeleteDialog reply={reply} isOwn={isOwn} onClose={() => setIsConfirming(false)} />
        </Suspense>
      )}
    </>
  )
}
