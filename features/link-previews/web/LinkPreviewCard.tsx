import './link-preview.css'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { toContentKey } from '#web/content-loader.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type LinkPreview, linkPreviewEndpoints } from '../contract.ts'
import { setShownLinkPreview } from './preview-store.ts'
import { linkPreviewCardText } from './text.ts'

interface LinkPreviewCardProps extends Pick<PostReplyOrMessageInfo, 'kind' | 'id'> {
  preview: LinkPreview
}

const removeEndpoints = {
  post: linkPreviewEndpoints.removeFromPost,
  reply: linkPreviewEndpoints.removeFromReply,
  message: linkPreviewEndpoints.removeFromMessage,
}

/** Renders the card with the title and the description of the linked page, below the text with the link. */
export function LinkPreviewCard({ kind, id, preview }: LinkPreviewCardProps) {
  const t = useText(linkPreviewCardText)
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
              {' · '}
              <UserText>{site}</UserText>
            </>
          )}
        </span>
        <span className="title" dir="auto" lang={detectLanguageOfUserText(title)}>
          {title}
        </span>
        {description && (
          <span className="description" dir="auto" lang={detectLanguageOfUserText(description)}>
            {description}
          </span>
        )}
      </a>
      {me?.id === user_id && <RemoveButton kind={kind} id={id} />}
    </div>
  )
}

/**
 * Moves the focus from a button to the post or message around it, because the button disappears with the
 * preview card.
 */
const focusText = (button: HTMLElement) =>
  (button.closest('article') ?? button.closest('.message')?.querySelector<HTMLElement>('.bubble'))?.focus({
    preventScroll: true,
  })

function RemoveButton({ kind, id }: Pick<PostReplyOrMessageInfo, 'kind' | 'id'>) {
  const t = useText(linkPreviewCardText)
  const explain = useErrorFormatter()
  const [isPending, setIsPending] = useState(false)
  async function remove(button: HTMLElement) {
    setIsPending(true)
    try {
      await callEndpoint(removeEndpoints[kind], { id })
      focusText(button)
      setShownLinkPreview(toContentKey(kind, id), null)
      showToast(t.removed)
    } catch (error) {
      setIsPending(false)
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
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
