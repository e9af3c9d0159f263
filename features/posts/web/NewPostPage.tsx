import './composer.css'
import { ImagePlus, RotateCw } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Me } from '#features/people/contract.ts'
import type { ApiError } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isCtrlEnter } from '#web/keyboard.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useLastMe } from '#web/last-me.ts'
import { useMe } from '#web/me.ts'
import { SendLater } from '#web/send-later.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ExtraButtons, ExtraEditors } from '#web/ui/ComposerExtras.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { AudienceField, useAudience } from './AudienceField.tsx'
import { groupIdOf } from './audience-choice.ts'
import { CharactersLeft } from './CharactersLeft.tsx'
import { postComposerText } from './composer-text.ts'
import { FilePickerButton, PickedFiles } from './Files.tsx'
import { filesText } from './files-text.ts'
import { maxPictures } from './limits.ts'
import { mentionScope } from './mention-scope.ts'
import PictureTiles from './PictureTiles.tsx'
import { useFileDrop } from './prepare-pictures.ts'
import { useComposer } from './useComposer.tsx'

const postTarget = { kind: 'post' } as const
const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export default function NewPostPage() {
  const isVisitor = useMe() === null
  const me = useLastMe()
  const t = useText(postComposerText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.newPost}>{me && <Avatar person={me} size="s" />}</PageHeader>
      {me && <Composer key={me.id} me={me} />}
      {/* The prompt is below the form, so that the form does not move when the session ends. */}
      {isVisitor && <LogInPrompt />}
    </PageLayout>
  )
}

function Composer({ me }: { me: Me }) {
  const t = useText(postComposerText)
  useShortcuts(t.newPost, [{ keys: [`${modifierKey} Enter`], description: t.post }])
  const filesTexts = useText(filesText)
  const counterId = useId()
  const audience = useAudience(me.id)
  const composer = useComposer(me.id, audience.audience)
  const { textArea, fileInput, text, pictures, warnings, charactersLeft, progress } = composer
  const { error, isEmpty, isSending, descriptions, excessPictures } = composer
  const extras = {
    values: composer.extras,
    onChange: composer.changeExtras,
    group: groupIdOf(audience.audience),
    disabled: isSending,
  }
  return (
    <>
      <form className="composer card alone" onSubmit={composer.submit} {...useFileDrop(composer.add)}>
        <div className="top">
          <Avatar person={me} />
          <textarea
            ref={textArea}
            aria-label={t.textOfPost}
            placeholder={t.prompt}
            dir="auto"
            defaultValue={text}
            readOnly={isSending}
            data-mentions={mentionScope({ group_id: extras.group })}
            aria-describedby={counterId}
            onInput={(event) => composer.changeText(event.currentTarget.value)}
            onKeyDown={(event) => isCtrlEnter(event) && composer.submit()}
          />
        </div>
        <PictureTiles
          pictures={pictures}
          uploadProgress={progress}
          onChange={composer.changePictures}
          onDescribe={descriptions.edit}
          onEmpty={() => (fileInput.current ?? textArea.current)?.focus()}
        />
        {!isSending && descriptions.hint}
        <PickedFiles
          files={composer.files}
          disabled={isSending}
          onChange={composer.changeFiles}
          onEmpty={() => textArea.current?.focus()}
        />
        <ExtraEditors {...extras} />
        {warnings.length > 0 && <Notice kind="warning">{warnings.map(sentenceLine)}</Notice>}
        {excessPictures > 0 && (
          <Notice kind="warning">{t.tooManyPictures(excessPictures, maxPictures)}</Notice>
        )}
        {error !== null && <PostError error={error} />}
        <AudienceField {...audience} disabled={isSending} />
        <div className="tools">
          {maxPictures > 0 && (
            <PicturePicker
              ref={fileInput}
              label={t.addPictures}
              kind="ghost"
              icon={ImagePlus}
              multiple
              disabled={isSending || pictures.length >= maxPictures}
              onPick={composer.addPicked}
            >
              <span>{t.addPictures}</span>
            </PicturePicker>
          )}
          {maxFileMb > 0 && (
            <FilePickerButton count={composer.files.length} disabled={isSending} onPick={composer.add}>
              <span>{filesTexts.addFiles}</span>
            </FilePickerButton>
          )}
          <ExtraButtons {...extras} />
          {pictures.length > 0 && <PictureCount count={pictures.length} />}
          <div className="send">
            <CharactersLeft id={counterId} count={charactersLeft} />
            {SendLater && (
              <Suspense>
                <SendLater target={postTarget} disabled={isEmpty || isSending} {...composer.later} />
              </Suspense>
            )}
            <Button
              kind="primary"
              type="submit"
              pending={isSending || composer.isPreparing}
              onPending={composer.submit}
              disabled={
                (isEmpty || charactersLeft < 0 || excessPictures > 0) && !isSending && !composer.isPreparing
              }
            >
              {t.post}
            </Button>
          </div>
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

/** Shows all messages of a 422, because the server may refuse several pictures at once. */
function PostError({ error }: { error: unknown }) {
  const t = useText(postComposerText)
  const explain = useErrorText()
  const sentences = hasStatus(error, 422)
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
      <span aria-hidden="true">{t.picturesOf(count, maxPictures)}</span>
      <span className="visually-hidden">{t.picturesOfSpoken(count, maxPictures)}</span>
    </span>
  )
}

/** `isSaved` is null if there is no draft, or while the draft is being saved. */
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
    // At once, because closing the dialog moves the focus, and `onDiscard` must move it after that.
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
