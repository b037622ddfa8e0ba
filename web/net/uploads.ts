import { ApiError, session } from './api.ts';

export interface Upload {
  name: string;
  url: string;
}

/** The viewer no longer wants the file. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/**
 * Uploads a file; `onProgress` hears the part that is done, from 0 to 1.
 * @throws ApiError in the words of the service, Cancelled when `abort` says so
 */
export function upload(file: File, onProgress: (part: number) => void, abort: AbortSignal): Promise<Upload> {
  return new Promise((resolve, reject) => {
    // Only this kind of request tells how far it came.
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('filename', file, file.name);
    request.open('POST', '/api/v1/user_uploads');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    abort.addEventListener('abort', () => request.abort());
    request.onabort = () => reject(new Cancelled('The upload was cancelled.'));
    request.onerror = () => reject(new Error('The connection was lost.'));
    request.onload = () => {
      if (request.status === 200)
        resolve({ name: request.response.filename ?? file.name, url: request.response.url });
      else {
        if (request.status === 401) session.value = 'out';
        reject(new ApiError(request.status, request.response ?? {}));
      }
    };
    request.send(form);
  });
}
