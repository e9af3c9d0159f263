import './composer.css'
import { ImagePlus, RotateCw } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Me } from '#features/people/contract.ts'
import type { ApiError } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isCtrlOrCommandEnter } from '#web/keyboard.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useCurrentOrLastMe } from '#web/last-me.ts'
import { useMe } from '#web/me.ts'
import { useKeyboardShortcuts } from '#web/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { CharactersLeft } from './CharactersLeft.tsx'
import { postComposerText } from './composer-text.ts'
import { configuredMaxPictureCount } from './limits.ts'
import { toDataMentionsAttributeOfPost } from './mention-scope.ts'
import PickedPictureTiles from './PickedPictureTiles.tsx'
import {
  PostAudienceField,
  toGroupIdOfAudienceChoice,
  useRememberedPostAudience,
} from './PostAudienceField.tsx'
import { useFileDropAndPaste } from './prepare-pictures.ts'
import { usePostComposer } from './usePostComposer.tsx'

const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export default function NewPostPage() {
  const isVisitor = useMe() === null
  const me = useCurrentOrLastMe()
  const t = useText(postComposerText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.newPost}>{me && <Avatar person={me} size="s" />}</PageHeader>
      {me && <Composer key={me.id} me={me} />}
      {/* The prompt is below the form, so that the form does not move when the session ends. */}
      {isVisitor && <LogInPromptBox />}
    </PageLayout>
  )
}

function Composer({ me }: { me: Me }) {
  const t = useText(postComposerText)
  useKeyboardShortcuts(t.newPost, [{ keys: [`${modifierKey} Enter`], description: t.post }])
  const counterId = useId()
  const audience = useRememberedPostAudience(me.id)
  const composer = usePostComposer(me.id, audience.audience)
  const { textArea, fileInput, text, pictures, warnings, charactersLeft, progress } = composer
  const { error, isEmpty, isSending, descriptions, excessPictures } = composer
  return (
    <>
      <form className="composer card alone" onSubmit={composer.submit} {...useFileDropAndPaste(composer.add)}>
        <div className="top">
          <Avatar person={me} />
          <textarea
            ref={textArea}
            aria-label={t.textOfPost}
            placeholder={t.prompt}
            dir="auto"
            defaultValue={text}
            readOnly={isSending}
            data-mentions={toDataMentionsAttributeOfPost({
              group_id: toGroupIdOfAudienceChoice(audience.audience),
            })}
            aria-describedby={counterId}
            onInput={(event) => composer.changeText(event.currentTarget.value)}
            onKeyDown={(event) => isCtrlOrCommandEnter(event) && composer.submit()}
          />
        </div>
        <PickedPictureTiles
          pictures={pictures}
          uploadProgress={progress}
          onChange={composer.changePictures}
          onDescribe={descriptions.edit}
          onEmpty={() => (fileInput.current ?? textArea.current)?.focus()}
        />
        {warnings.length > 0 && <Notice kind="warning">{warnings.map(sentenceLine)}</Notice>}
        {excessPictures > 0 && (
          <Notice kind="warning">{t.tooManyPictures(excessPictures, configuredMaxPictureCount)}</Notice>
        )}
        {error !== null && <PostError error={error} />}
        <PostAudienceField {...audience} disabled={isSending} />
        <div className="tools">
          {configuredMaxPictureCount > 0 && (
            <PicturePickerButton
              ref={fileInput}
              label={t.addPictures}
              kind="ghost"
              icon={ImagePlus}
              multiple
              disabled={isSending || pictures.length >= configuredMaxPictureCount}
              onPick={composer.addPicked}
            >
              <span className="wide-only">{t.addPictures}</span>
            </PicturePickerButton>
          )}
          {pictures.length > 0 && <PictureCount count={pictures.length} />}
          <CharactersLeft id={counterId} count={charactersLeft} />
          <Button
            kind="primary"
            type="submit"
            pending={isSending || composer.isPreparing}
            disabled={
              (isEmpty || charactersLeft < 0 || excessPictures > 0) && !isSending && !composer.isPreparing
            }
          >
            {t.post}
          </Button>
        </div>
      </form>
      <DraftState isSaved={isEmpty ? null : composer.isSaved}>
        {!isEmpty && !isSending && <DiscardButton onDiscard={composer.discard} />}
      </DraftState>
      {descriptions.dialog}
    </>
  )
}

const sentenceLine = (sentence: string) => <span key={sentence}>{sentence}</span>

/**
 * Renders the error of a failed request for a new post. Shows all messages of a response with status 422,
 * because the server may refuse several pictures at once.
 */
function PostError({ error }: { error: unknown }) {
  const t = useText(postComposerText)
  const explain = useErrorFormatter()
  const sentences = isErrorWithStatus(error, 422)
    ? [...new Set(Object.values((error as ApiError).errors).flat())]
    : []
  return (
    <div className="post-error">
      <Notice kind="error">{(sentences.length ? sentences : [explain(error)]).map(sentenceLine)}</Notice>
      <Button type="submit" icon={RotateCw}>
        {t.retry}
      </Button>
    </div>
  )
}

function PictureCount({ count }: { count: number }) {
  const t = useText(postComposerText)
  return (
    <span className="text-meta">
      <span aria-hidden="true">{t.picturesOf(count, configuredMaxPictureCount)}</span>
      <span className="visually-hidden">{t.picturesOfSpoken(count, configuredMaxPictureCount)}</span>
    </span>
  )
}

/**
 * Renders the line below the form that says whether the draft of the new post is saved. `isSaved` is null if
 * there is no draft, or while the draft is being saved.
 */
function DraftState({ isSaved, children }: { isSaved: boolean | null; children: ReactNode }) {
  const t = useText(postComposerText)
  return (
    <div className="draft-state spread">
      <p className="text-meta">
        {isSaved !== null && (isSaved ? t.draftSaved : t.draftNotSaved)}{' '}
        {hasMouse() && t.shortcutHint(modifierKey)}
      </p>
      {children}
    </div>
  )
}

function DiscardButton({ onDiscard }: { onDiscard: () => void }) {
  const t = useText(postComposerText)
  const [isConfirming, setIsConfirming] = useState(false)
  const discard = () => {
    // Closes the dialog at once, because closing it moves the focus, and `onDiscard` must move the focus
    // after that.
    flushSync(() => setIsConfirming(false))
    onDiscard()
  }
  return (
    <>
      <Button kind="ghost" small onClick={() => setIsConfirming(true)}>
        {t.discard}
      </Button>
      <Dialog open={isConfirming} title={t.discardAsk} onClose={() => setIsConfirming(false)}>
        <p>{t.discardHelp}</p>
        <div className="dialog-actions">
          <Button onClick={() => setIsConfirming(false)}>{t.keepWriting}</Button>
          <Button kind="danger-filled" onClick={discard}>
            {t.discard}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
