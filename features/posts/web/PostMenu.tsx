import { Bookmark, BookmarkX, Ellipsis, Pencil, Pin, PinOff, ShieldCheck, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { bookmarkEndpoints } from '../bookmark-contract.ts'
import type { Post } from '../contract.ts'
import { postPinEndpoints } from '../pin-contract.ts'
import { usePostAudienceGroupsQuery } from './audience-groups.ts'
import { CopyLinkMenuItem } from './CopyLinkMenuItem.tsx'
import { postMenuText } from './post-menu-text.ts'
import { patchPostInStore } from './post-store.ts'

const DeletePostDialog = lazyWithRetry(() => import('./DeletePostDialog.tsx'))
const PinPostDialog = lazyWithRetry(() => import('./PinPostDialog.tsx'))
const EditPostDialog = lazyWithRetry(() => import('./EditPostDialog.tsx'))

/** Renders the menu of a post. The code of the menu is loaded after the list of posts is drawn. */
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
          <MenuItemButton icon={ShieldCheck} onPress={() => location.assign(`/report/post/${post.id}`)}>
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
        {dialog === 'edit' && <EditPostDialog post={post} onClose={close} />}
        {dialog === 'pin' && <PinPostDialog id={post.id} onClose={close} />}
        {dialog === 'delete' && <DeletePostDialog post={post} isOwn={isOwn} onClose={close} />}
      </Suspense>
    </>
  )
}

/**
 * Returns a function that waits for the promise of a changed post, and shows a toast with the error if the
 * promise is rejected.
 */
function useChangeWithErrorToast(key: string) {
  const explain = useErrorFormatter()
  return (change: Promise<unknown>) =>
    change.catch((error: unknown) => {
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
      else showToast(explain(error), { key, kind: 'error' })
    })
}

function BookmarkItem({ post: { id, bookmarked_by_me } }: { post: Post }) {
  const t = useText(postMenuText)
  const run = useChangeWithErrorToast(`bookmark ${id}`)
  const change = async () => {
    const endpoint = bookmarked_by_me ? bookmarkEndpoints.remove : bookmarkEndpoints.add
    const { bookmarked } = await callEndpoint(endpoint, { id })
    patchPostInStore(id, { bookmarked_by_me: bookmarked })
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
  /** Called when an admin chooses to pin the post for the community. */
  onPinForEveryone: () => void
}

/**
 * Renders the menu item that pins or unpins a post, for admins and for the owner of the group that is the
 * audience of the post.
 */
function PinItem({ post: { id, audience, group_id, pinned }, isAdmin, onPinForEveryone }: PinItemProps) {
  const t = useText(postMenuText)
  const run = useChangeWithErrorToast(`pin ${id}`)
  const { data: groups } = usePostAudienceGroupsQuery(audience === 'group')
  const isOwner = groups?.some((group) => group.id === group_id && group.is_owner)
  if (audience === 'followers' || !(isAdmin || (audience === 'group' && isOwner))) return null
  const change = async () => {
    const answer = await callEndpoint(pinned ? postPinEndpoints.unpin : postPinEndpoints.pin, { id })
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
