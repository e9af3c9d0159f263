import { Bookmark, BookmarkX, Ellipsis, Flag, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { bookmarkEndpoints, type Post, pinEndpoints } from '../contract.ts'
import { useAudienceGroups } from './audience-groups.ts'
import { CopyLinkMenuItem } from './CopyLinkMenuItem.tsx'
import { postMenuText } from './menu-text.ts'
import * as store from './post-store.ts'

const DeleteDialog = lazyWithRetry(() => import('./DeleteDialog.tsx'))
const PinDialog = lazyWithRetry(() => import('./PinDialog.tsx'))
const EditDialog = lazyWithRetry(() => import('./EditDialog.tsx'))

/** Loaded after the list of posts is drawn. */
export default function PostMenu({ post }: { post: Post }) {
  const t = useText(postMenuText)
  const me = useMe()
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'pin' | null>(null)
  const close = () => setDialog(null)
  const isOwn = me?.id === post.user.id
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => (
          <Button
            {...props}
            kind="ghost"
            iconOnly
            className="post-menu"
            icon={Ellipsis}
            label={t.moreAbout(post.user.name)}
          />
        )}
      >
        <CopyLinkMenuItem path={`/posts/${post.id}`} />
        {me && <BookmarkItem post={post} />}
        {me && <PinItem post={post} isAdmin={me.is_admin} onPinForEveryone={() => setDialog('pin')} />}
        {isOwn && (
          <MenuItemButton icon={Pencil} onPress={() => setDialog('edit')}>
            {t.edit}
          </MenuItemButton>
        )}
        {me && !isOwn && (
          <MenuItemButton icon={Flag} onPress={() => location.assign(`/report/post/${post.id}`)}>
            {t.report}
          </MenuItemButton>
        )}
        {(isOwn || me?.is_admin) && (
          <>
            <hr />
            <MenuItemButton icon={Trash2} danger onPress={() => setDialog('delete')}>
              {t.deletePost}
            </MenuItemButton>
          </>
        )}
      </Menu>
      <Suspense>
        {dialog === 'edit' && <EditDialog post={post} onClose={close} />}
        {dialog === 'pin' && <PinDialog id={post.id} onClose={close} />}
        {dialog === 'delete' && <DeleteDialog post={post} isOwn={isOwn} onClose={close} />}
      </Suspense>
    </>
  )
}

function useChangeWithErrorToast(key: string) {
  const explain = useErrorText()
  return (change: Promise<unknown>) =>
    change.catch((error: unknown) => {
      if (hasStatus(error, 401)) showLogInToast()
      else showToast(explain(error), { key, kind: 'error' })
    })
}

function BookmarkItem({ post: { id, bookmarked_by_me } }: { post: Post }) {
  const t = useText(postMenuText)
  const run = useChangeWithErrorToast(`bookmark ${id}`)
  const change = async () => {
    const endpoint = bookmarked_by_me ? bookmarkEndpoints.remove : bookmarkEndpoints.add
    const { bookmarked } = await callEndpoint(endpoint, { id })
    store.patch(id, { bookmarked_by_me: bookmarked })
    showToast(bookmarked ? t.bookmarked : t.unbookmarked, { key: 'bookmark' })
  }
  return (
    <MenuItemButton icon={bookmarked_by_me ? BookmarkX : Bookmark} onPress={() => run(change())}>
      {bookmarked_by_me ? t.removeBookmark : t.bookmark}
    </MenuItemButton>
  )
}

interface PinItemProps {
  post: Post
  isAdmin: boolean
  onPinForEveryone: () => void
}

/** For admins, and for the owner of the group that is the audience. */
function PinItem({ post: { id, audience, group_id, pinned }, isAdmin, onPinForEveryone }: PinItemProps) {
  const t = useText(postMenuText)
  const run = useChangeWithErrorToast(`pin ${id}`)
  const { data: groups } = useAudienceGroups(audience === 'group')
  const isOwner = groups?.some((group) => group.id === group_id && group.is_owner)
  if (audience === 'followers' || !(isAdmin || (audience === 'group' && isOwner))) return null
  const change = async () => {
    const answer = await callEndpoint(pinned ? pinEndpoints.unpin : pinEndpoints.pin, { id })
    showToast(answer.message, { key: 'pin' })
  }
  const forGroup = audience === 'group'
  return (
    <MenuItemButton
      icon={pinned ? PinOff : Pin}
      onPress={pinned || forGroup ? () => run(change()) : onPinForEveryone}
    >
      {pinned ? t.unpin : forGroup ? t.pinInGroup : t.pin}
    </MenuItemButton>
  )
}
