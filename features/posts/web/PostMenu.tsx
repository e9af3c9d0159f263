import { Ellipsis, Link2, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { copyText } from '#web/clipboard.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import type { Post } from '../contract.ts'
import { postsText } from './text.ts'

const loadDelete = () => import('./DeletePost.tsx')
const DeletePost = lazy(loadDelete)

export const postPath = ({ id }: Post) => `/posts/${id}`

export function PostMenu({ post }: { post: Post }) {
  const t = useText(postsText)
  const me = useMe()
  const explain = useExplain()
  const [asking, setAsking] = useState(false)
  const own = me?.id === post.user.id
  const copy = () =>
    copyText(new URL(postPath(post), location.origin).href).then(
      () => toast(t.copied),
      () => toast(t.notCopied, { kind: 'bad' }),
    )
  // Loaded before it is drawn, so that a failure shows a message and does not break the page.
  const ask = () =>
    loadDelete().then(
      () => setAsking(true),
      (error: unknown) => toast(explain(error), { kind: 'bad' }),
    )
  return (
    <>
      <Menu
        label={t.more}
        button={(props) => (
          <Button
            {...props}
            kind="bare"
            only
            className="more"
            icon={Ellipsis}
            label={t.moreAbout(post.user.name)}
          />
        )}
      >
        <MenuButton icon={Link2} onPress={copy}>
          {t.copyLink}
        </MenuButton>
        {(own || me?.is_admin) && (
          <>
            <hr />
            <MenuButton icon={Trash2} danger onPress={ask}>
              {t.deletePost}
            </MenuButton>
          </>
        )}
      </Menu>
      {asking && (
        <Suspense>
          <DeletePost post={post} own={own} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
