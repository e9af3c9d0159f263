import './composer.css'
import { ImagePlus, RotateCw } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Me } from '#features/people/contract.ts'
import type { ApiError } from '#web/api.ts'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSend } from '#web/keyboard.ts'
import { useMe } from '#web/me.ts'
import { PleaseLogIn } from '#web/NotLoaded.tsx'
import { useShortcuts } from '#web/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { MOST_IMAGES } from '../contract.ts'
import { useIncoming } from './choose-pictures.ts'
import { composerText } from './composer-text.ts'
import { LeftCount } from './Descriptions.tsx'
import { PictureTiles } from './PictureTiles.tsx'
import { useComposer } from './useComposer.tsx'

const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export default function NewPostPage() {
  const me = useMe()
  const t = useText(composerText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.newPost}>{me && <Avatar person={me} size="s" />}</PageHeader>
      {me ? <Composer key={me.id} me={me} /> : <PleaseLogIn />}
    </PageLayout>
  )
}

function Composer({ me }: { me: Me }) {
  const t = useText(composerText)
  useShortcuts(t.newPost, [{ keys: [`${command} Enter`], does: t.post }])
  const leftId = useId()
  const composer = useComposer(me.id)
  const { area, picker, text, pictures, notes, left, sent, error, isEmpty, isSending, descriptions } =
    composer
  return (
    <>
      <form className="composer board alone" onSubmit={composer.submit} {...useIncoming(composer.add)}>
        <div className="top">
          <Avatar person={me} />
          <textarea
            ref={area}
            aria-label={t.textOfPost}
            placeholder={t.prompt}
            dir="auto"
            defaultValue={text}
            readOnly={isSending}
            aria-describedby={leftId}
            onInput={(event) => composer.changeText(event.currentTarget.value)}
            onKeyDown={(event) => isSend(event) && composer.submit()}
          />
        </div>
        <PictureTiles
          pictures={pictures}
          sent={sent}
          onChange={composer.changePictures}
          onDescribe={descriptions.edit}
          onEmpty={() => picker.current?.focus()}
        />
        {notes.length > 0 && <Notice kind="warn">{notes.map(line)}</Notice>}
        {error !== null && <Failed error={error} />}
        <div className="tools">
          <PicturePicker
            ref={picker}
            label={t.addPictures}
            kind="bare"
            icon={ImagePlus}
            multiple
            disabled={isSending || pictures.length === MOST_IMAGES}
            onPick={composer.addPicked}
          >
            <span className="wide-only">{t.addPictures}</span>
          </PicturePicker>
          {pictures.length > 0 && <PictureCount count={pictures.length} />}
          <LeftCount id={leftId} left={left} />
          <Button
            kind="primary"
            type="submit"
            pending={isSending || composer.isPreparing}
            disabled={(isEmpty || left < 0) && !isSending && !composer.isPreparing}
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

const line = (sentence: string) => <span key={sentence}>{sentence}</span>

/** Shows all messages of the server, since several pictures may be wrong at once. */
function Failed({ error }: { error: unknown }) {
  const t = useText(composerText)
  const explain = useExplain()
  const sentences = isHttpError(error, 422)
    ? [...new Set(Object.values((error as ApiError).errors).flat())]
    : []
  return (
    <div className="not-posted">
      <Notice kind="bad">{(sentences.length ? sentences : [explain(error)]).map(line)}</Notice>
      <Button type="submit" icon={RotateCw}>
        {t.retry}
      </Button>
    </div>
  )
}

function PictureCount({ count }: { count: number }) {
  const t = useText(composerText)
  return (
    <span className="meta">
      <span aria-hidden="true">{t.picturesOf(count, MOST_IMAGES)}</span>
      <span className="hide">{t.picturesOfSpoken(count, MOST_IMAGES)}</span>
    </span>
  )
}

/** The line below the form. `isSaved` is null where there is no draft, and while it is being saved. */
function DraftState({ isSaved, children }: { isSaved: boolean | null; children: ReactNode }) {
  const t = useText(composerText)
  return (
    <div className="about-draft settle">
      <p className="meta">
        {isSaved !== null && (isSaved ? t.draftSaved : t.draftNotSaved)} {hasMouse() && t.keys(command)}
      </p>
      {children}
    </div>
  )
}

function DiscardButton({ onDiscard }: { onDiscard: () => void }) {
  const t = useText(composerText)
  const [asking, setAsking] = useState(false)
  const discard = () => {
    // The dialog moves the focus when it closes, so it has to be closed before onDiscard moves the focus.
    flushSync(() => setAsking(false))
    onDiscard()
  }
  return (
    <>
      <Button kind="bare" small onClick={() => setAsking(true)}>
        {t.discard}
      </Button>
      <Dialog open={asking} title={t.discardAsk} onClose={() => setAsking(false)}>
        <p>{t.discardHelp}</p>
        <div className="choose">
          <Button onClick={() => setAsking(false)}>{t.keep}</Button>
          <Button kind="sure" onClick={discard}>
            {t.discard}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
