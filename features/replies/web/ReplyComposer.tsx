import { ImagePlus, X } from 'lucide-react'
import { Suspense, useEffect, useId, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import { configuredMaxPictureCount } from '#features/posts/web/limits.ts'
import { toDataMentionsAttributeOfPost } from '#features/posts/web/mention-scope.ts'
import { postStore } from '#features/posts/web/post-store.ts'
import {
  countExcessPictures,
  type PickedPictureFileAndDescription,
  useFileDropAndPaste,
} from '#features/posts/web/prepare-pictures.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlOrCommandEnter } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import type { Reply } from '../contract.ts'
import { repliesText } from './text.ts'
import { useReplyComposer } from './useReplyComposer.ts'

const PickedPictureTiles = lazyWithRetry(() => import('#features/posts/web/PickedPictureTiles.tsx'))
const PictureDescriptionDialog = lazyWithRetry(
  () => import('#features/posts/web/PictureDescriptionDialog.tsx'),
)

/**
 * The form for a reply shows the number of characters that may still be typed only if it is at most this
 * number.
 */
const SHOW_COUNT_BELOW = 100

interface ReplyComposerProps {
  me: Me
  post: number
  /** The reply that the member answers with the new reply; null if the new reply answers the post. */
  answered: Reply | null
  onAnswered: (reply: Reply | null) => void
}

/** Renders the form for a new reply. */
export function ReplyComposer({ me, post, answered, onAnswered }: ReplyComposerProps) {
  const t = useText(repliesText)
  const counterId = useId()
  const composer = useReplyComposer(me.id, post, answered, () => onAnswered(null))
  const { field, text, pictures, charactersLeft, isSending } = composer
  const mentionScope = useStore(postStore, ({ posts }) => toDataMentionsAttributeOfPost(posts.get(post)))
  useAutosizeTextArea(field, text)
  useEffect(() => {
    // Waits for one frame before it focuses the text area, because a new page first scrolls to its top.
    if (location.hash === '#reply') requestAnimationFrame(() => field.current?.focus())
  }, [field])
  useEffect(() => {
    if (answered) field.current?.focus()
  }, [answered, field])
  return (
    <form
      className="reply-composer card alone"
      onSubmit={(event) => {
        event.preventDefault()
        composer.submit()
      }}
      {...useFileDropAndPaste(composer.addFiles)}
    >
      {answered && (
        <p className="answering text-meta">
          <SentenceWithName words={t.answering} name={answered.user.name} />
          <Button
            kind="ghost"
            small
            iconOnly
            icon={X}
            label={t.notAnswering}
            onClick={() => onAnswered(null)}
          />
        </p>
      )}
      <div className="reply-input">
        <Avatar person={me} size="s" />
        <textarea
          ref={field}
          className="input"
          rows={1}
          dir="auto"
          aria-label={t.write}
          placeholder={t.write}
          aria-describedby={charactersLeft > SHOW_COUNT_BELOW ? undefined : counterId}
          readOnly={isSending}
          data-mentions={mentionScope}
          value={text}
          onChange={(event) => composer.saveText(event.target.value)}
          onKeyDown={(event) => isCtrlOrCommandEnter(event) && composer.submit()}
        />
      </div>
      <ComposerPictures composer={composer} />
      <ComposerNotices composer={composer} />
      <div className="reply-tools">
        {configuredMaxPictureCount > 0 && (
          <PicturePickerButton
            label={t.addPictures}
            kind="ghost icon-only"
            icon={ImagePlus}
            multiple
            disabled={isSending || pictures.length >= configuredMaxPictureCount}
            onPick={composer.addFiles}
          />
        )}
        {charactersLeft <= SHOW_COUNT_BELOW && <CharactersLeft id={counterId} count={charactersLeft} />}
        <Button kind="primary" type="submit" pending={isSending} disabled={composer.isInvalid && !isSending}>
          {t.send}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {composer.isSent && t.sent}
      </p>
    </form>
  )
}

type Composer = ReturnType<typeof useReplyComposer>

/**
 * Renders the chosen pictures of the new reply. The code that renders them is loaded when the member chooses
 * the first picture.
 */
function ComposerPictures({ composer }: { composer: Composer }) {
  const { field, pictures, setPictures, isSending } = composer
  const [describing, setDescribing] = useState<PickedPictureFileAndDescription | null>(null)
  const [needsTiles, setNeedsTiles] = useState(false)
  // `needsTiles` stays true after the last picture was removed, because PickedPictureTiles then announces the
  // removal to screen readers.
  if (pictures.length && !needsTiles) setNeedsTiles(true)
  const describe = (alt: string | null) => {
    if (alt !== null)
      setPictures(pictures.map((one) => (one.key === describing?.key ? { ...one, alt } : one)))
    setDescribing(null)
  }
  return (
    <Suspense>
      {needsTiles && (
        <PickedPictureTiles
          pictures={pictures}
          uploadProgress={isSending ? 0 : null}
          onChange={setPictures}
          onDescribe={setDescribing}
          onEmpty={() => field.current?.focus()}
        />
      )}
      {describing && <PictureDescriptionDialog picture={describing} onDone={describe} />}
    </Suspense>
  )
}

function ComposerNotices({ composer: { pictures, warnings, error } }: { composer: Composer }) {
  const t = useText(postComposerText)
  const explain = useErrorFormatter()
  const excess = countExcessPictures(pictures)
  return (
    <>
      {excess > 0 && <Notice kind="warning">{t.tooManyPictures(excess, configuredMaxPictureCount)}</Notice>}
      {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
      {error && <Notice kind="error">{explain(error)}</Notice>}
    </>
  )
}
