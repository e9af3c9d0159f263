import { ChevronLeft, Download, Ellipsis, ImagePlus, Link2, PencilLine, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fillPath } from '#core/contract.ts'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { profilePath } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { PageHeader } from '#web/ui/PageLayout.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { type Album, albumEndpoints, albumPictureEndpoints } from '../contract.ts'
import { AlbumForm } from './AlbumForm.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { albumsText, albumText } from './text.ts'

interface Props {
  album: Album
  canPlay: boolean
  onPick: (files: readonly File[]) => void
  onPlay: () => void
  onChanged: (album: Album) => void
  onDeleted: () => void
}

export function AlbumHeader({ album, canPlay, onPick, onPlay, ...rest }: Props) {
  const t = useText(albumText)
  const back = album.group ? `/albums?group=${album.group.id}` : '/albums'
  return (
    <>
      <ButtonLink kind="ghost" small className="album-back" icon={ChevronLeft} href={back}>
        {t.toAlbums}
      </ButtonLink>
      <PageHeader title={album.title}>{album.manages && <ManageMenu album={album} {...rest} />}</PageHeader>
      <About album={album} />
      <div className="album-actions">
        <PicturePicker kind="primary" icon={ImagePlus} label={t.add} multiple onPick={onPick}>
          {t.add}
        </PicturePicker>
        {canPlay && (
          <Button icon={Play} onClick={onPlay}>
            {t.play}
          </Button>
        )}
        {album.pictures_count > 0 && (
          <a className="button ghost" href={fillPath(albumPictureEndpoints.zip.path, album)} download>
            <Icon icon={Download} />
            {t.download}
          </a>
        )}
      </div>
    </>
  )
}

function About({ album: { text, group, created_by, pictures_count } }: { album: Album }) {
  const t = useText(albumText)
  const all = useText(albumsText)
  return (
    <div className="album-about">
      {text && (
        <p>
          <UserText>{text}</UserText>
        </p>
      )}
      <p className="text-meta">
        {all.count(pictures_count)}
        <Dot />
        {group ? <UserText>{group.name}</UserText> : all.everybody}
        {created_by && (
          <>
            <Dot />
            {t.madeBy}{' '}
            <Link className="link" href={profilePath(created_by)}>
              <PersonName>{created_by.name}</PersonName>
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

function ManageMenu({ album, onChanged, onDeleted }: Pick<Props, 'album' | 'onChanged' | 'onDeleted'>) {
  const t = useText(albumText)
  const save = useText(albumsText).save
  const [shown, setShown] = useState<'change' | 'delete' | 'share' | null>(null)
  const { run, dialog } = useConfirmation()
  const close = () => setShown(null)
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.more} />}
      >
        <MenuItemButton icon={Link2} onPress={() => setShown('share')}>
          {t.share}
        </MenuItemButton>
        <MenuItemButton icon={PencilLine} onPress={() => setShown('change')}>
          {t.change}
        </MenuItemButton>
        <hr />
        <MenuItemButton icon={Trash2} danger onPress={() => setShown('delete')}>
          {t.delete}
        </MenuItemButton>
      </Menu>
      {shown === 'share' && <ShareDialog album={album.id} onClose={close} />}
      {shown === 'change' && (
        <AlbumForm
          heading={t.changeTitle}
          first={{ title: album.title, text: album.text ?? '' }}
          submitLabel={save}
          onSave={(words) => run(() => callEndpoint(albumEndpoints.change, { id: album.id, ...words }))}
          onSaved={(next) => {
            close()
            onChanged(next)
            showToast(t.changed)
          }}
          onClose={close}
        />
      )}
      {shown === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          confirmLabel={t.deleteConfirm}
          isDestructive
          onConfirm={() => run(() => callEndpoint(albumEndpoints.remove, { id: album.id }))}
          onDone={() => {
            showToast(t.deleted)
            onDeleted()
          }}
          onClose={close}
        >
          {t.deleteText(album.pictures_count)}
        </ConfirmDialog>
      )}
      {dialog}
    </>
  )
}
