import { useMutation } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Post, posts } from '../contract.ts'
import { removePost } from './post-store.ts'
import { postsText } from './text.ts'

/** Moves the focus from a post that vanishes to the next one, the one before, or the page's title. */
function moveFocusFrom(id: number) {
  const gone = document.querySelector(`[data-post="${id}"]`)
  const all = [...document.querySelectorAll<HTMLElement>('article[data-post]')]
  const at = all.indexOf(gone as HTMLElement)
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('#main h1')
  requestAnimationFrame(() => next?.focus({ preventScroll: true }))
}

interface DeletePostProps {
  post: Post
  own: boolean
  onClose: () => void
}

/** Asks for confirmation and deletes the post. */
export default function DeletePost({ post, own, onClose }: DeletePostProps) {
  const t = useText(postsText)
  const explain = useExplain()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api(posts.remove, { id: post.id }),
    onSuccess: ({ message }) => {
      onClose()
      moveFocusFrom(post.id)
      removePost(post.id)
      toast(message)
    },
    onError: (failure) => {
      if (isHttpError(failure, 401)) pleaseLogIn()
      if (isHttpError(failure, 404)) removePost(post.id)
    },
  })
  return (
    <Dialog open title={own ? t.deleteAsk : t.deleteAskOf(post.user.name)} onClose={onClose}>
      <p>{t.deleteHelp}</p>
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      <div className="choose">
        <Button onClick={onClose}>{t.keepPost}</Button>
        <Button kind="sure" pending={isPending} onClick={() => mutate()}>
          {t.deletePost}
        </Button>
      </div>
    </Dialog>
  )
}
