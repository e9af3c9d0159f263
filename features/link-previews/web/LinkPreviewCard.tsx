import './link-preview.css'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { contentKey } from '#web/content-loader.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { Dot, detectLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type LinkPreview, previewEndpoints } from '../contract.ts'
import { setPreview } from './preview-store.ts'
import { previewText } from './text.ts'

interface Props extends Pick<ContentInfo, 'kind' | 'id'> {
  preview: LinkPreview
}

const removeEndpoints = {
  post: previewEndpoints.removeFromPost,
  reply: previewEndpoints.removeFromReply,
  message: previewEndpoints.removeFromMessage,
}

export function LinkPreviewCard({ kind, id, preview }: Props) {
  const t = useText(previewText)
  const me = useMe()
  const { url, host, site, title, description, user_id } = preview
  return (
    <div className="link-preview">
      <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
        <span className="visually-hidden">{t.preview} </span>
        <span className="site">
          <bdi>{host}</bdi>
          {site && (
            <>
              <Dot />
              <UserText>{site}</UserText>
            </>
          )}
        </span>
        <span className="title" dir="auto" lang={detectLanguage(title)}>
          {title}
        </span>
        {description && (
          <span className="description" dir="auto" lang={detectLanguage(description)}>
            {description}
          </span>
        )}
      </a>
      {me?.id === user_id && <RemoveButton kind={kind} id={id} />}
    </div>
  )
}

/** To the post or message around it, because the button disappears with the card. */
const focusText = (button: HTMLElement) =>
  (button.closest('article') ?? button.closest('.message')?.querySelector<HTMLElement>('.bubble'))?.focus({
    preventScroll: true,
  })

function RemoveButton({ kind, id }: Pick<ContentInfo, 'kind' | 'id'>) {
  const t = useText(previewText)
  const explain = useErrorText()
  const [isPending, setIsPending] = useState(false)
  async function remove(button: HTMLElement) {
    setIsPending(true)
    try {
      await callEndpoint(removeEndpoints[kind], { id })
      focusText(button)
      setPreview(contentKey(kind, id), null)
      showToast(t.removed)
    } catch (error) {
      setIsPending(false)
      if (hasStatus(error, 401)) showLogInToast()
      else showToast(t.notRemoved + explain(error), { kind: 'error' })
    }
  }
  return (
    <Button
      kind="ghost"
      iconOnly
      small
      icon={X}
      label={t.remove}
      pending={isPending}
      onClick={(event) => remove(event.currentTarget)}
    />
  )
}
