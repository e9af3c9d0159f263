import { ImagePlus, X } from 'lucide-react'
import { Suspense, useEffect, useId, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import { FilePickerButton, PickedFiles } from '#features/posts/web/Files.tsx'
import { maxPictures } from '#features/posts/web/limits.ts'
import { mentionScope } from '#features/posts/web/mention-scope.ts'
import * as postStore from '#features/posts/web/post-store.ts'
import { countExcess, type PickedPicture, useFileDrop } from '#features/posts/web/prepare-pictures.ts'
import { useErrorText } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlEnter } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import type { Reply } from '../contract.ts'
import { repliesText } from './text.ts'
import { useComposer } from './useComposer.ts'

const PictureTiles = lazyWithRetry(() => import('#features/posts/web/PictureTiles.tsx'))
const DescribeDialog = lazyWithRetry(() => import('#features/posts/web/DescribeDialog.tsx'))

/** The number of characters left is shown only from here. */
const SHOW_COUNT_BELOW = 100

interface Props {
  me: Me
  post: number
  /** Null if the new reply answers the post. */
  answered: Reply | null
  onAnswered: (reply: Reply | null) => void
}

export function ReplyComposer({ me, post, answered, onAnswered }: Props) {
  const t = useText(repliesText)
  const counterId = useId()
  const composer = useComposer(me.id, post, answered, () => onAnswered(null))
  const { field, text, pictures, charactersLeft, isSending, isPreparing } = composer
  const scope = useStore(postStore.state, ({ posts }) => mentionScope(posts.get(post)))
  useAutosize(field, text)
  useEffect(() => {
    // After one frame, because a new page first scrolls to its top.
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
      {...useFileDrop(composer.addFiles)}
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
          data-mentions={scope}
          value={text}
          onChange={(event) => composer.changeText(event.target.value)}
          onKeyDown={(event) => isCtrlEnter(event) && composer.submit()}
        />
      </div>
      <ComposerPictures composer={composer} />
      <PickedFiles
        files={composer.files}
        disabled={isSending}
        onChange={composer.changeFiles}
        onEmpty={() => field.current?.focus()}
      />
      <ComposerNotices composer={composer} />
      <div className="reply-tools">
        {maxPictures > 0 && (
          <PicturePicker
            label={t.addPictures}
            kind="ghost icon-only"
            icon={ImagePlus}
            multiple
            disabled={isSending || pictures.length >= maxPictures}
            onPick={composer.addFiles}
          />
        )}
        {maxFileMb > 0 && (
          <FilePickerButton count={composer.files.length} disabled={isSending} onPick={composer.addFiles} />
        )}
        {charactersLeft <= SHOW_COUNT_BELOW && <CharactersLeft id={counterId} count={charactersLeft} />}
        <Button
          kind="primary"
          type="submit"
          pending={isSending || isPreparing}
          onPending={composer.submit}
          disabled={composer.isInvalid && !isSending && !isPreparing}
        >
          {t.send}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {composer.isSent && t.sent}
      </p>
    </form>
  )
}

type Composer = ReturnType<typeof useComposer>

/** The code is loaded when the member chooses the first picture. */
function ComposerPictures({ composer }: { composer: Composer }) {
  const { field, pictures, changePictures, isSending } = composer
  const [describing, setDescribing] = useState<PickedPicture | null>(null)
  const [needsTiles, setNeedsTiles] = useState(false)
  // It stays true after the last picture was removed: PictureTiles announces that to screen readers.
  if (pictures.length && !needsTiles) setNeedsTiles(true)
  const describe = (alt: string | null) => {
    if (alt !== null)
      changePictures(pictures.map((one) => (one.key === describing?.key ? { ...one, alt } : one)))
    setDescribing(null)
  }
  return (
    <Suspense>
      {needsTiles && (
        <PictureTiles
          pictures={pictures}
          uploadProgress={isSending ? 0 : null}
          onChange={changePictures}
          onDescribe={setDescribing}
          onEmpty={() => field.current?.focus()}
        />
      )}
      {describing && <DescribeDialog picture={describing} onDone={describe} />}
    </Suspense>
  )
}

function ComposerNotices({ composer: { pictures, warnings, error } }: { composer: Composer }) {
  const t = useText(postComposerText)
  const explain = useErrorText()
  const excess = countExcess(pictures)
  return (
    <>
      {excess > 0 && <Notice kind="warning">{t.tooManyPictures(excess, maxPictures)}</Notice>}
      {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
      {error && <Notice kind="error">{explain(error)}</Notice>}
    </>
  )
}
