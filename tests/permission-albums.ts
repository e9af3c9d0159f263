import { expect } from 'vitest'
import { formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/** Lines of `endpointTable` about albums of all members. */
export const albumRows = `albums.list                            -              401      200      200      200      200      -
albums.create                          -              401      201      201      201      201      -
albums.show                            album          401      200      200      200      200      404
albums.change                          album          401      403      403      200      200      404
albums.remove                          album          401      403      403      204      204      404
albumPictures.list                     album          401      200      200      200      200      404
albumPictures.authors                  album          401      200      200      200      200      404
albumPictures.known                    album          401      200      200      200      200      404
albumPictures.add                      album          401      200      200      200      200      404
albumPictures.zip                      album          401      200      200      200      200      404
albumLinks.list                        album          401      403      403      200      200      404
albumLinks.create                      album          401      403      403      201      201      404
albumLinks.end                         album-link     401      404      404      204      204      404
albumLinks.all                         -              401      403      403      403      200      -
sharedAlbums.page                      album-link     200      200      200      200      200      200
sharedAlbums.zip                       album-link     200      200      200      200      200      200
sharedAlbums.picture                   shared-picture 200      200      200      200      200      404
sharedAlbums.file                      shared-picture 200      200      200      200      200      404
albumPictures.remove                   album-picture  401      403      403      204      204      404
`

/** Albums of the owner, for `things` of tests/permission-scene.ts. */
export function albumThings(owner: TestClient) {
  const create = async () => {
    const { status, body } = await owner.post('/api/albums', { title: 'mine' })
    expect(status, JSON.stringify(body)).toBe(201)
    return { id: body.id as number, hashes: ['a'.repeat(64)], days: 30 }
  }
  const addPicture = async () => {
    const image = uploadFile(await fourColours().png().toBuffer(), 'a.png')
    const { id } = await create()
    const { body } = await owner.post(`/api/albums/${id}/pictures`, formData({}, { image: [image] }))
    return { id: body.picture.id as number, album: id }
  }
  const share = async (id: number) => {
    const { url } = (await owner.post(`/api/albums/${id}/links`, { days: 30 })).body
    return new URL(url).pathname.split('/').at(-1)!
  }
  const link = async () => {
    const { id } = await create()
    const token = await share(id)
    return { id: (await owner.get(`/api/albums/${id}/links`)).body[0].id as number, token }
  }
  const sharedPicture = async () => {
    const { id, album } = await addPicture()
    return { id, token: await share(album), size: 'small' }
  }
  return {
    ...{ album: create, 'album-picture': addPicture },
    ...{ 'album-link': link, 'shared-picture': sharedPicture },
  }
}
