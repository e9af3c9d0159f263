import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { uploadText } from './text.ts'
import * as queue from './uploads.ts'

/** Failed pictures that are named. */
const MAX_NAMED = 20

/** How far the pictures of the album are. */
export function UploadPanel({ album }: { album: number }) {
  const t = useText(uploadText)
  const all = useStore(queue.uploads, ({ uploads }) => uploads)
  const pause = useStore(queue.uploads, (state) => state.pause)
  const own = all.filter((one) => one.album === album)
  if (!own.length) return null
  const count = (state: queue.Upload['state']) => own.filter((one) => one.state === state).length
  const [done, same, failed] = [count('done'), count('same'), count('failed')]
  const finished = done + same + failed
  const isOpen = finished < own.length
  const share = own.reduce((sum, one) => sum + (one.state === 'failed' ? 1 : one.share), 0) / own.length
  return (
    <section className="card album-uploads" aria-label={t.adding}>
      {isOpen ? (
        <>
          <p className="album-upload-line">
            <strong>{t.adding}</strong>
            <span>{t.progress(finished, own.length)}</span>
          </p>
          <progress value={share} max={1} aria-label={t.adding} />
        </>
      ) : (
        (done > 0 || !failed) && (
          <p role="status">
            <strong>{t.ready(done)}</strong>
          </p>
        )
      )}
      {same > 0 && <p>{t.same(same)}</p>}
      {isOpen && (
        <p role="status" className="text-meta">
          {pause === 'offline' ? t.waits : pause === 'busy' ? t.busy : t.stay}
        </p>
      )}
      <Failures uploads={own.filter(({ state }) => state === 'failed')} />
      <div className="album-upload-actions">
        {failed > 0 && !isOpen && <Button onClick={() => queue.retry(album)}>{t.retry}</Button>}
        <Button kind="ghost" onClick={() => queue.forget(album)}>
          {isOpen ? t.stop : t.close}
        </Button>
      </div>
    </section>
  )
}

function Failures({ uploads }: { uploads: readonly queue.Upload[] }) {
  const t = useText(uploadText)
  const explain = useErrorText()
  if (!uploads.length) return null
  const reason = ({ error }: queue.Upload) =>
    error === 'unreadable' ? t.unreadable : error === 'too large' ? t.tooLarge : explain(error)
  return (
    <>
      <p className="error-text">{t.failed(uploads.length)}</p>
      <ul className="album-failures">
        {uploads.slice(0, MAX_NAMED).map((one) => (
          <li key={one.key}>
            <bdi>{one.file.name}</bdi> <span>{reason(one)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
