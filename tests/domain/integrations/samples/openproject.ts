import type { Sample } from '../sample.ts';

const of = (action: string, payload: object): Sample => ({
  name: action,
  event: action,
  payload: { action, ...payload },
});
const author = { name: 'Ada' };
const project = { name: 'Engine', _embedded: { parent: { name: 'Machines' } } };
const work_package = { subject: 'Oil the wheels', _embedded: { type: { name: 'TASK' }, author, project } };
const time_entry = {
  hours: 'PT2H',
  _embedded: { user: author, project, workPackage: { subject: 'Oil the wheels' } },
};

export const samples: Sample[] = [
  of('project:created', { project }),
  of('project:updated', { project: { name: 'Engine' } }),
  of('work_package:created', { work_package }),
  of('work_package:updated', { work_package }),
  of('time_entry:created', { time_entry }),
  of('time_entry:updated', { time_entry }),
  of('attachment:created', {
    attachment: {
      fileName: 'wheel.png',
      _embedded: {
        author,
        container: { subject: 'Oil the wheels', _links: { project: { title: 'Engine' } } },
      },
    },
  }),
];
